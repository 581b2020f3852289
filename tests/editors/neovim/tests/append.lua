-- What is written at the end of a file: on disk it is what the block says, byte for byte.
local h = require('harness')

--- A block that puts a text after another in a file.
local function append(id, path, anchor, text)
  local edits = { version = 1, edits = { { op = 'insertAfter', anchor = anchor, text = text } } }
  return h.block(id, 'fs.applyEdits', path, 'edits_b64: ' .. vim.base64.encode(vim.json.encode(edits)))
end

-- The files before, their blocks, and the files after.
local cases = {
  { 'a.py', 'x = 1\ny = 2\n', append('a', 'a.py', 'y = 2\n', 'z = 3\n'), 'x = 1\ny = 2\nz = 3\n' },
  { 'w.py', 'x = 1\n', h.write('w', 'w.py', 'x = 1\ny = 2\n\n'), 'x = 1\ny = 2\n\n' },
  { 'dos.txt', 'one\r\n', append('d', 'dos.txt', 'one\n', 'two\n'), 'one\r\ntwo\r\n' },
  { 'empty.txt', '', h.write('e', 'empty.txt', 'one\n'), 'one\n' },
  { 'new.txt', nil, h.write('n', 'new.txt', 'one\ntwo\n'), 'one\ntwo\n' },
  { 'cut.txt', 'one\ntwo\n\n', h.write('c', 'cut.txt', 'one\n'), 'one\n' },
}

local function check(w)
  vim.cmd('silent wall')
  for _, case in ipairs(cases) do
    h.same(w:read(case[1]), case[4], case[1])
  end
end

--- Writes the files and opens some of them; gives the transcript.
local function prepare(w, open)
  local blocks, ready = {}, {}
  for index, case in ipairs(cases) do
    if case[2] then
      w:write(case[1], case[2])
    end
    -- Neovim shows an empty file as one line ending.
    if open and (case[2] or '') ~= '' then
      w:edit(case[1])
    end
    blocks[index], ready[index] = case[3], 'ready'
  end
  return table.concat(blocks), ready
end

local function with_plugin(open, apply)
  return function(w)
    local text, ready = prepare(w, open)
    local bufnr = w:transcript(text, ready)
    local applied = vim.tbl_map(function()
      return 'applied'
    end, ready)
    apply(bufnr)
    h.await_statuses(bufnr, applied)
    check(w)
    vim.wait(200)
    h.await_statuses(bufnr, applied)
  end
end

--- Does something on each block.
local function each(act)
  return function(bufnr)
    for index, case in ipairs(cases) do
      -- Neovim tells the first change of a buffer at once where the last one was long ago, and those
      -- that it makes with it later.
      vim.wait(200)
      vim.api.nvim_set_current_buf(bufnr)
      h.go_to('path: ' .. case[1])
      act(case)
      h.until_(case[1] .. ' to be applied', function()
        return (h.statuses(bufnr)[index][2] or ''):find('^applied')
      end)
    end
  end
end

local function by_command(case)
  vim.cmd('Operator apply')
  h.hear(case[1])
end

local function all()
  h.take('source.operator.applyAll')
end

--- A server that nothing in Neovim but its own client knows of.
local function without_plugin(open)
  return function(w)
    vim.lsp.enable('operator_lsp', false)
    local text = prepare(w, open)
    local bufnr = w:edit('chat.md', text)
    local id = vim.lsp.start({ name = 'bare', cmd = { vim.env.OPERATOR_LSP }, root_dir = w.root })
    local client = assert(vim.lsp.get_client_by_id(id))
    local about = { uri = vim.uri_from_bufnr(bufnr) }
    local command = { command = 'operator.applyAll', arguments = { about } }
    local answer = h.until_('the edit', function()
      local answer = client:request_sync('workspace/executeCommand', command, 3000, bufnr)
      return answer and not answer.err and answer
    end)
    local ok, why = pcall(h.same, answer.err, nil)
    local fine, reason = pcall(check, w)
    vim.lsp.enable('operator_lsp')
    assert(ok, why)
    assert(fine, reason)
  end
end

return {
  { 'an end of a file: by code action, files closed', with_plugin(false, each(h.apply)) },
  { 'an end of a file: by code action, files open', with_plugin(true, each(h.apply)) },
  { 'an end of a file: by command, files closed', with_plugin(false, each(by_command)) },
  { 'an end of a file: all at once, files closed', with_plugin(false, all) },
  { 'an end of a file: all at once, files open', with_plugin(true, all) },
  { 'an end of a file: without the plugin, files closed', without_plugin(false) },
  { 'an end of a file: without the plugin, files open', without_plugin(true) },
  {
    'a last line without an ending gets one and no more',
    function(w)
      w:write('bare.txt', 'one')
      w:write('open.txt', 'one')
      w:edit('open.txt')
      local bufnr = w:transcript(h.write('a', 'bare.txt', 'one\ntwo\n') .. h.write('b', 'open.txt', 'two\n'), { 'ready', 'ready' })
      h.take('source.operator.applyAll')
      h.until_('the change', function()
        return h.text(vim.fn.bufnr('open.txt')):find('two')
      end)
      vim.api.nvim_set_current_buf(bufnr)
      vim.cmd('silent wall')
      h.same(w:read('bare.txt'), 'one\ntwo\n')
      h.same(w:read('open.txt'), 'two\n')
    end,
  },
}

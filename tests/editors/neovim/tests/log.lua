-- `:Operator log`, `undo` with a number, and `redo`.
local h = require('harness')

-- The lines of the list with every time of day as `15:36`.
local function shown(list)
  return vim.tbl_map(function(line)
    return (line:gsub('%d%d:%d%d', '15:36'))
  end, vim.api.nvim_buf_get_lines(list, 1, -1, false))
end

local function open_list()
  vim.cmd('Operator log')
  return h.until_('the list', function()
    return vim.bo.filetype == 'operator_log' and vim.api.nvim_get_current_buf()
  end)
end

local function await_lines(list, expected)
  local lines
  local ok, why = pcall(h.until_, 'the lines', function()
    lines = shown(list)
    return vim.deep_equal(lines, expected)
  end)
  if not ok then
    error(('%s; they are %s'):format(why, vim.inspect(lines)), 2)
  end
end

-- Applies two blocks on two files, and saves these.
local function apply_two(w)
  local first, second = w:edit('a.txt', 'one\n'), w:edit('b.txt', 'one\n')
  local text = h.replace('e1', 'a.txt', 'one', 'eins') .. h.replace('e2', 'b.txt', 'one', 'uno')
  local bufnr = w:transcript(text, { 'ready', 'ready' })
  for _, id in ipairs({ 'e1', 'e2' }) do
    h.go_to('id: ' .. id)
    vim.cmd('Operator apply')
    h.hear('applied fs.applyEdits')
    vim.cmd('silent wall')
  end
  h.await_statuses(bufnr, { 'applied', 'applied' })
  return bufnr, first, second
end

return {
  {
    'what was applied is listed, undone and redone from the list',
    function(w)
      w:write('a.txt', 'one\n')
      w:transcript(h.read('r1', 'a.txt'), { 'ready' }, 'other.md')
      local list = open_list()
      h.contains(shown(list)[1], 'Nothing has been applied in this workspace.')
      vim.api.nvim_feedkeys('q', 'xt', false)
      h.same(vim.api.nvim_buf_is_valid(list), false)

      local bufnr, first = apply_two(w)
      local window = vim.api.nvim_get_current_win()
      list = open_list()
      local both = {
        '2  15:36  editor        fs.applyEdits b.txt  [chat.md]',
        '1  15:36  editor        fs.applyEdits a.txt  [chat.md]',
      }
      await_lines(list, both)
      h.contains(vim.fn.getline(1), 'u undoes, <C-r> redoes')
      h.go_to('a.txt')
      -- The older one: its file was not changed since.
      vim.api.nvim_feedkeys('u', 'xt', false)
      h.hear('undid operation 1')
      await_lines(list, { both[1], '1  15:36  editor        undone: fs.applyEdits a.txt  [chat.md]' })
      h.same(h.text(first), 'one\n')
      h.await_statuses(bufnr, { 'ready', 'applied' })
      vim.api.nvim_feedkeys('u', 'xt', false)
      h.hear('operation 1 is already undone')
      vim.api.nvim_feedkeys(vim.keycode('<C-r>'), 'xt', false)
      h.hear('redid what was undone last')
      await_lines(list, both)
      h.same(h.text(first), 'eins\n')
      h.await_statuses(bufnr, { 'applied', 'applied' })
      h.same(vim.api.nvim_win_get_cursor(0)[1], 3, 'the line of the cursor')
      vim.api.nvim_feedkeys(vim.keycode('<CR>'), 'xt', false)
      h.same({ vim.api.nvim_get_current_win(), vim.api.nvim_get_current_buf() }, { window, first })
    end,
  },
  {
    'undo takes a number, which is completed, and says what came in between',
    function(w)
      local bufnr, first = apply_two(w)
      h.same(vim.fn.getcompletion('Operator undo ', 'cmdline'), { '2', '1' })
      vim.cmd('Operator undo one')
      h.hear('`one` is not the number of an operation')
      vim.cmd('Operator undo 99')
      h.contains(h.hear('operator: '), '99')
      vim.cmd('Operator undo 1')
      h.hear('undid operation 1')
      h.same(h.text(first), 'one\n')
      h.same(vim.fn.getcompletion('Operator undo ', 'cmdline'), { '2' })
      vim.cmd('Operator redo')
      h.hear('redid what was undone last')
      h.await_statuses(bufnr, { 'applied', 'applied' })
      vim.api.nvim_buf_set_lines(first, 0, 1, false, { 'mine' })
      vim.api.nvim_buf_call(first, function()
        vim.cmd('silent write')
      end)
      vim.cmd('Operator undo 1')
      h.contains(h.hear('operator: '), 'a.txt')
      h.same(h.text(first), 'mine\n')
    end,
  },
  {
    'what the command line applied is known, by whom and when',
    function(w)
      w:write('a.txt', 'one\n')
      w:write('b.txt', 'uno\n')
      w:write('chat.md', h.replace('e1', 'a.txt', 'one', 'eins') .. h.write('w1', 'b.txt', 'uno\n'))
      local command = { vim.env.OPERATOR_LSP, 'apply', '--yes', '--only', 'e1', '--root', w.root, w.root .. '/chat.md' }
      h.same(vim.system(command):wait().code, 0)
      local bufnr = w:edit('chat.md')
      h.await_statuses(bufnr, { 'applied', 'satisfied' })
      local texts = vim.tbl_map(function(status)
        return (status[2]:gsub('%d%d:%d%d', '15:36'))
      end, h.statuses(bufnr))
      h.same(texts, {
        'applied: fs.applyEdits a.txt, by the command line, 15:36',
        'satisfied: fs.write b.txt, the file already has this content',
      })
      vim.cmd('Operator inbox')
      h.until_('the list', function()
        return vim.bo.buftype == 'quickfix'
      end)
      h.contains(vim.fn.getline(1), ('applied    %s  [e1]  by the command line, '):format(h.deeds(bufnr)[1]))
      vim.cmd('lclose')
      await_lines(open_list(), { '1  15:36  command line  fs.applyEdits a.txt  [chat.md]' })
      vim.cmd('Operator undo')
      h.hear('undid the last apply')
      h.await_statuses(bufnr, { 'ready', 'satisfied' })
      h.same(w:read('a.txt') == 'one\n' or h.text(vim.fn.bufnr('a.txt')) == 'one\n', true)
    end,
  },
}

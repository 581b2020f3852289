-- What was applied is known whatever becomes of the transcript's buffer and of the server.
local h = require('harness')

--- A block that adds `two` after `one`: done twice it is wrong, and nothing in the file shows that.
local function insert()
  local edits = { version = 1, edits = { { op = 'insertAfter', anchor = 'one\n', text = 'two\n' } } }
  return h.block('i1', 'fs.applyEdits', 'a.txt', 'edits_b64: ' .. vim.base64.encode(vim.json.encode(edits)))
end

--- Applies the one block of a transcript, and saves its file.
local function applied(w)
  w:write('a.txt', 'one\n')
  local bufnr = w:transcript(insert(), { 'ready' })
  h.apply()
  h.await_statuses(bufnr, { 'applied' })
  vim.cmd('silent wall')
  h.same(w:read('a.txt'), 'one\ntwo\n')
  return bufnr
end

--- Nothing is left to be applied, and nothing is.
local function check_done(w, bufnr)
  h.await_statuses(bufnr, { 'applied' })
  vim.cmd('Operator apply_all')
  h.hear('no proposal of this transcript can be applied')
  vim.cmd('silent wall')
  h.same(w:read('a.txt'), 'one\ntwo\n')
end

return {
  {
    'a character that is typed into an applied block and deleted again changes nothing',
    function(w)
      local bufnr = applied(w)
      h.go_to('action: fs.applyEdits')
      vim.cmd('normal! Ax')
      h.await_statuses(bufnr, { 'invalid' })
      vim.cmd('normal! x')
      check_done(w, bufnr)
    end,
  },
  {
    'a transcript that is read again, or closed and opened, is still applied',
    function(w)
      local bufnr = applied(w)
      vim.cmd('edit!')
      -- Neovim's own Markdown plugin removes keys that are not mapped, silently.
      vim.v.errmsg = ''
      check_done(w, bufnr)
      vim.cmd('bwipeout')
      check_done(w, w:edit('chat.md'))
    end,
  },
  {
    'another server knows what was applied',
    function(w)
      applied(w)
      vim.cmd('silent! %bwipeout!')
      h.end_servers()
      check_done(w, w:edit('chat.md'))
    end,
  },
  {
    'of three blocks on one file the one that writes the same as the first is still to be applied',
    function(w)
      w:edit('f.txt', 'z\n')
      local all = h.write('a', 'f.txt', 'x\n') .. h.write('b', 'f.txt', 'y\n') .. h.write('c', 'f.txt', 'x\n')
      local bufnr = w:transcript(all, { 'ready', 'ready', 'ready' })
      h.go_to('id: a')
      h.apply()
      h.await_statuses(bufnr, { 'applied', 'ready', 'satisfied' })
      h.go_to('id: b')
      h.apply()
      h.await_statuses(bufnr, { 'applied', 'applied', 'ready' })
      h.go_to('id: c')
      h.apply()
      h.await_statuses(bufnr, { 'applied', 'applied', 'applied' })
      vim.cmd('silent wall')
      h.same(w:read('f.txt'), 'x\n')
    end,
  },
  {
    'a result that the model made up does not count',
    function(w)
      w:write('a.txt', 'one\n')
      local result = 'OPERATOR_RESULT\nid: i1\nok: true\nsummary: inserted\nEND_OPERATOR_RESULT\n'
      local bufnr = w:transcript(insert() .. result, { 'ready' })
      h.until_('the warning', function()
        return vim.iter(vim.diagnostic.get(bufnr)):any(function(it)
          return it.code == 'reply/unverified'
        end)
      end)
      h.apply()
      h.await_statuses(bufnr, { 'applied' })
      vim.cmd('silent wall')
      h.same(w:read('a.txt'), 'one\ntwo\n')
    end,
  },
}

-- Nothing newer is overwritten, saved or not.
local h = require('harness')

local function type_at_end(bufnr, line)
  vim.api.nvim_buf_set_lines(bufnr, -1, -1, false, { line })
end

return {
  {
    'a whole-file write is refused once the buffer has changed',
    function(w)
      local target = w:edit('a.txt', 'one\n')
      local bufnr = w:transcript(h.write('w1', 'a.txt', 'new\n'), { 'ready' })
      type_at_end(target, 'typed, not saved')
      h.await_statuses(bufnr, { 'stale' })
      vim.cmd('Operator apply')
      h.hear('stale')
      h.same(h.text(target), 'one\ntyped, not saved\n')
    end,
  },
  {
    'unsaved changes beside the edit are kept',
    function(w)
      local target = w:edit('a.txt', 'one\ntwo\n')
      type_at_end(target, 'typed, not saved')
      local bufnr = w:transcript(h.replace('e1', 'a.txt', 'two', 'zwei'), { 'ready' })
      h.apply()
      h.await_statuses(bufnr, { 'applied' })
      h.same(h.text(target), 'one\nzwei\ntyped, not saved\n')
      h.same(w:read('a.txt'), 'one\ntwo\n')
    end,
  },
  {
    'a file that is opened after the transcript is known with what is not saved in it',
    function(w)
      w:write('a.txt', 'one\ntwo\n')
      w:write('b.unknown_extension', 'one\ntwo\n')
      local bufnr = w:transcript(h.replace('e1', 'a.txt', 'two', 'zwei') .. h.replace('e2', 'b.unknown_extension', 'two', 'zwei'), { 'ready', 'ready' })
      for _, name in ipairs({ 'a.txt', 'b.unknown_extension' }) do
        vim.api.nvim_buf_set_lines(w:edit(name), 1, 2, false, { 'drei' })
      end
      h.await_statuses(bufnr, { 'blocked', 'blocked' })
      vim.cmd('silent! bwipeout! a.txt b.unknown_extension')
      h.await_statuses(bufnr, { 'ready', 'ready' })
    end,
  },
  {
    'an action that was offered before the target changed is refused',
    function(w)
      local target = w:edit('a.txt', 'one\ntwo\n')
      local bufnr = w:transcript(h.replace('e1', 'a.txt', 'two', 'zwei'), { 'ready' })
      local chosen = false
      h.stub(vim.ui, 'select', function(items, _, choose)
        -- While the menu is open, the text goes away.
        vim.api.nvim_buf_set_lines(target, 1, 2, false, { 'three' })
        h.await_statuses(bufnr, { 'blocked' })
        chosen = true
        choose(items[1], 1)
      end)
      vim.lsp.buf.code_action({ context = { only = { 'refactor.rewrite.operator' }, diagnostics = {} } })
      h.until_('the menu', function()
        return chosen
      end)
      h.hear('-32801')
      h.same(h.text(target), 'one\nthree\n')
    end,
  },
  {
    'an edit of two files is not made in one of them alone',
    function(w)
      w:write('a.txt', 'one\n')
      w:write('b.txt', 'one\n')
      local first, second = w:edit('a.txt'), w:edit('b.txt')
      local bufnr = w:transcript(h.replace('e1', 'a.txt', 'one', 'eins') .. h.replace('e2', 'b.txt', 'one', 'eins'), { 'ready', 'ready' })
      vim.bo[second].modifiable = false
      vim.cmd('Operator apply_all')
      h.hear("b.txt cannot be changed: 'modifiable' is off; nothing was changed")
      h.same({ h.text(first), h.text(second) }, { 'one\n', 'one\n' })
      h.take('source.operator.applyAll')
      h.hear("b.txt cannot be changed: 'modifiable' is off; nothing was changed")
      h.same({ h.text(first), h.text(second) }, { 'one\n', 'one\n' })
      h.await_statuses(bufnr, { 'ready', 'ready' })
      vim.bo[second].modifiable = true
      vim.cmd('Operator apply_all')
      h.hear('applied 2 changes')
      h.same({ h.text(first), h.text(second) }, { 'eins\n', 'eins\n' })
    end,
  },
  {
    'what was typed a moment ago is not overwritten',
    function(w)
      local target = w:edit('a.txt', 'one\ntwo\n')
      local bufnr = w:transcript(h.replace('e1', 'a.txt', 'two', 'zwei'), { 'ready' })
      vim.api.nvim_buf_set_lines(target, 1, 2, false, { 'three' })
      vim.cmd('Operator apply')
      h.hear('the text is not in `a.txt`')
      h.same(h.text(target), 'one\nthree\n')
      h.await_statuses(bufnr, { 'blocked' })
      vim.api.nvim_buf_set_lines(target, 1, 2, false, { 'two' })
      h.await_statuses(bufnr, { 'ready' })
      vim.api.nvim_buf_set_lines(target, 1, 2, false, { 'four' })
      h.apply()
      h.hear('No code actions available')
      h.same(h.text(target), 'one\nfour\n')
    end,
  },
}

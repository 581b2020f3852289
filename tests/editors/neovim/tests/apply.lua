-- Code actions: blocks become changes of files, and `u` takes them back.
local h = require('harness')

local function line_of(bufnr, text)
  return h.until_('`' .. text .. '` in the transcript', function()
    return h.text(bufnr):find(text, 1, true)
  end)
end

return {
  {
    'an edit is applied to the open file and undone with `u`',
    function(w)
      local target = w:edit('a.txt', 'one\ntwo\nthree\n')
      local bufnr = w:transcript(h.replace('e1', 'a.txt', 'two', 'zwei'), { 'ready' })
      h.apply()
      h.until_('the change', function()
        return h.text(target) == 'one\nzwei\nthree\n'
      end)
      h.await_statuses(bufnr, { 'applied' })
      h.same(w:read('a.txt'), 'one\nzwei\nthree\n', 'on disk')
      vim.api.nvim_buf_call(target, vim.cmd.undo)
      h.same(h.text(target), 'one\ntwo\nthree\n')
      h.await_statuses(bufnr, { 'ready' })
    end,
  },
  {
    'apply and reply inserts the reply under the block',
    function(w)
      w:write('a.txt', 'one\n')
      local bufnr = w:transcript(h.replace('e1', 'a.txt', 'one', 'eins'), { 'ready' })
      h.take('refactor.rewrite.operator.applyAndReply')
      line_of(bufnr, 'END_OPERATOR_CMD\nOPERATOR_RESULT\nid: e1\nok: true\n')
      h.await_statuses(bufnr, { 'applied' })
      vim.cmd('silent wall')
      h.same(w:read('a.txt'), 'eins\n')
    end,
  },
  {
    'apply all makes every change that can be made',
    function(w)
      w:write('a.txt', 'one\n')
      local bufnr = w:transcript(
        h.replace('e1', 'a.txt', 'one', 'eins')
          .. h.write('w1', 'sub/new.txt', 'first\nsecond\n')
          .. h.replace('e2', 'missing.txt', 'x', 'y')
          .. h.replace('e3', 'a.txt', 'eins', 'uno'),
        { 'ready', 'ready', 'blocked', 'blocked' }
      )
      h.take('source.operator.applyAll')
      h.await_statuses(bufnr, { 'applied', 'applied', 'blocked', 'applied' })
      vim.cmd('silent wall')
      h.same(w:read('a.txt'), 'uno\n')
      h.same(w:read('sub/new.txt'), 'first\nsecond\n')
    end,
  },
  {
    'a file is created without a newline too many',
    function(w)
      local bufnr = w:transcript(h.write('w1', 'new.txt', 'a\n\nb\n') .. h.write('w2', 'bare.txt', 'no end'), { 'ready', 'ready' })
      h.apply()
      h.await_statuses(bufnr, { 'applied', 'ready' })
      h.go_to('id: w2')
      h.apply()
      h.await_statuses(bufnr, { 'applied', 'applied' })
      vim.cmd('silent wall')
      h.same(w:read('new.txt'), 'a\n\nb\n')
      -- Neovim itself ends the last line of a new file, whatever an edit says.
      h.same(w:read('bare.txt'), 'no end\n')
      vim.wait(300)
      h.await_statuses(bufnr, { 'applied', 'applied' })
    end,
  },
  {
    'files are moved and deleted',
    function(w)
      w:write('old.txt', 'kept\n')
      w:write('gone.txt', 'x\n')
      local bufnr = w:transcript(
        h.move('m1', 'old.txt', 'new.txt')
          .. h.block('d1', 'fs.delete', 'gone.txt'),
        { 'ready', 'ready' }
      )
      h.go_to('id: m1')
      vim.cmd('Operator apply')
      h.hear('applied fs.move old.txt')
      h.go_to('id: d1')
      vim.cmd('Operator apply')
      h.hear('applied fs.delete gone.txt')
      h.same({ w:read('old.txt'), w:read('new.txt'), w:read('gone.txt') }, { nil, 'kept\n', nil })
      h.await_statuses(bufnr, { 'applied', 'applied' })
    end,
  },
  {
    'line endings and a missing last one stay',
    function(w)
      vim.o.fixendofline = false
      w:write('dos.txt', 'one\r\ntwo\r\nthree')
      local bufnr = w:transcript(h.replace('e1', 'dos.txt', 'two', 'zwei'), { 'ready' })
      h.apply()
      h.await_statuses(bufnr, { 'applied' })
      vim.cmd('silent wall')
      h.same(w:read('dos.txt'), 'one\r\nzwei\r\nthree')
      h.await_statuses(bufnr, { 'applied' })
      vim.o.fixendofline = true
    end,
  },
  {
    'an apply is not broken up by questions about its parts',
    function(w)
      vim.lsp.config('operator_lsp', { init_options = { confirm = 'always' } })
      w:write('a.txt', 'one\n')
      local bufnr = w:transcript(h.replace('e1', 'a.txt', 'one', 'eins'), { 'ready' })
      local asked = {}
      h.stub(vim.fn, 'confirm', function(question)
        table.insert(asked, question)
        return 2
      end)
      h.take('refactor.rewrite.operator.applyAndReply')
      line_of(bufnr, 'id: e1\nok: true\n')
      h.same(asked, {})
      h.same(h.text(vim.fn.bufnr('a.txt')), 'eins\n')
      h.same(h.heard(), {})
    end,
  },
  {
    'a command that reads inserts what it finds',
    function(w)
      w:write('a.txt', 'one\n')
      local bufnr = w:transcript(h.read('r1', 'a.txt'), { 'ready' })
      h.take('refactor.rewrite.operator.run')
      line_of(bufnr, 'OPERATOR_RESULT\nid: r1\nok: true\n')
      h.contains(h.text(bufnr), vim.base64.encode('one\n'))
      h.await_statuses(bufnr, { 'applied' })
    end,
  },
}

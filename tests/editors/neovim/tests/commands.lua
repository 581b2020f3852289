-- `:Operator` and what it shows.
local h = require('harness')

return {
  {
    'the inbox lists the blocks and follows them',
    function(w)
      w:write('a.txt', 'one\n')
      local bufnr = w:transcript('# Chat\n' .. h.replace('e1', 'a.txt', 'one', 'eins') .. h.read('r1', 'missing.txt'), { 'ready', 'blocked' })
      vim.cmd('Operator inbox')
      h.until_('the list', function()
        return vim.bo.buftype == 'quickfix'
      end)
      local deeds = h.deeds(bufnr)
      h.same(vim.api.nvim_buf_get_lines(0, 0, -1, false), {
        ('    2  ready      %s  [e1]'):format(deeds[1]),
        ('    9  blocked    %s  [r1]  1 problem'):format(deeds[2]),
      })
      h.contains(vim.w.quickfix_title, 'chat.md: 1 ready, 1 blocked')
      -- From the list, the command is about the block on the list's line.
      vim.cmd('Operator apply')
      h.hear('applied fs.applyEdits a.txt')
      local list = vim.fn.getloclist(0, { winid = 0 }).winid
      local function await_first(status)
        h.until_('the list to follow', function()
          local shown = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(list), 0, 1, false)[1]
          return shown:find(status, 1, true)
        end)
      end
      await_first('applied')
      vim.api.nvim_win_set_cursor(list, { 2, 3 })
      vim.cmd('Operator undo')
      h.hear('undid the last apply')
      await_first('ready')
      h.same(vim.api.nvim_win_get_cursor(list), { 2, 3 }, 'the cursor in the list')
    end,
  },
  {
    'apply and reply, apply all, reject and undo',
    function(w)
      w:write('a.txt', 'one\ntwo\nthree\n')
      local bufnr = w:transcript(
        h.replace('e1', 'a.txt', 'one', 'eins') .. h.replace('e2', 'a.txt', 'two', 'zwei') .. h.replace('e3', 'a.txt', 'three', 'drei'),
        { 'ready', 'ready', 'ready' }
      )
      h.go_to('id: e1')
      vim.cmd('Operator apply_and_reply')
      h.hear('applied fs.applyEdits a.txt and inserted the reply')
      h.contains(h.text(bufnr), 'END_OPERATOR_CMD\nOPERATOR_RESULT\nid: e1\nok: true\n')
      h.go_to('id: e2')
      vim.cmd('Operator reject')
      h.hear('rejected fs.applyEdits a.txt')
      h.contains(h.text(bufnr), 'OPERATOR_RESULT\nid: e2\nok: false\n')
      h.await_statuses(bufnr, { 'applied', 'rejected', 'ready' })
      vim.cmd('Operator apply_all')
      h.hear('applied 1 change')
      h.same(h.text(vim.fn.bufnr('a.txt')), 'eins\ntwo\ndrei\n')
      vim.cmd('Operator undo')
      h.hear('undid the last apply')
      h.same(h.text(vim.fn.bufnr('a.txt')), 'eins\ntwo\nthree\n')
    end,
  },
  {
    'what needs a look of its own is asked about, and left by apply all',
    function(w)
      w:write('a.txt', 'one\n')
      local blocks = h.write('m1', 'Makefile', 'all:\n') .. h.replace('e1', 'a.txt', 'one', 'eins')
      local bufnr = w:transcript(blocks, { 'needs', 'ready' })
      vim.cmd('Operator inbox')
      h.until_('the list', function()
        return vim.bo.buftype == 'quickfix'
      end)
      local first = vim.api.nvim_buf_get_lines(0, 0, 1, false)[1]
      h.contains(first, ('look       %s  [m1]  needs a look: `Makefile` is a file that a build tool'):format(h.deeds(bufnr)[1]))
      h.contains(vim.w.quickfix_title, 'chat.md: 1 to look at, 1 ready')
      vim.cmd.lclose()
      local asked
      h.stub(vim.fn, 'confirm', function(question)
        asked = question
        return 2
      end)
      h.go_to('id: m1')
      vim.cmd('Operator apply')
      h.hear('left fs.write Makefile')
      h.contains(asked, 'fs.write Makefile needs a look: `Makefile` is a file that')
      h.same(vim.fn.filereadable('Makefile'), 0)
      vim.cmd('Operator apply_all')
      h.hear('applied 1 change')
      h.same(vim.fn.filereadable('Makefile'), 0)
      h.until_('the name of what was left', function()
        return vim.fn.execute('messages'):find('block 1 (m1) needs a look', 1, true)
          or vim.tbl_contains(h.heard(), function(said)
            return said:find('block 1 (m1) needs a look', 1, true) ~= nil
          end, { predicate = true })
      end)
      h.stub(vim.fn, 'confirm', function()
        return 1
      end)
      vim.cmd('Operator apply')
      h.hear('applied fs.write Makefile')
      h.await_statuses(bufnr, { 'applied', 'applied' })
    end,
  },
  {
    'the reply goes to a register, once, and with ! again',
    function(w)
      w:write('a.txt', 'one\n')
      w:transcript(h.read('r1', 'a.txt') .. h.read('r2', 'missing.txt') .. h.replace('e1', 'a.txt', 'one', 'eins'), { 'ready', 'blocked', 'ready' })
      vim.cmd('Operator reply a')
      h.hear('the reply is in register a; 1 block waits for you')
      local reply = vim.fn.getreg('a')
      h.contains(reply, 'OPERATOR_RESULT\nid: r1\nok: true\n')
      h.contains(reply, 'OPERATOR_RESULT\nid: r2\nok: false\n')
      h.same(reply:find('id: e1', 1, true), nil)
      vim.cmd('Operator reply b')
      h.hear('nothing new to tell the model; `:Operator! reply` copies all; 1 block waits for you')
      h.same(vim.fn.getreg('b'), '')
      vim.cmd('Operator! reply b')
      h.hear('the reply is in register b')
      h.same(vim.fn.getreg('b'), reply)
      vim.cmd('Operator! apply')
      h.hear('`:Operator apply` takes no !')
    end,
  },
  {
    'the reply is copied by itself once no block waits, if the settings say so',
    function(w)
      vim.lsp.config('operator_lsp', { settings = { operator = { copyReplyAfterApply = true } } })
      w:write('a.txt', 'one\ntwo\n')
      w:transcript(h.replace('e1', 'a.txt', 'one', 'eins') .. h.replace('e2', 'a.txt', 'two', 'zwei'), { 'ready', 'ready' })
      vim.fn.setreg('"', 'before')
      h.go_to('id: e1')
      vim.cmd('Operator apply')
      h.hear('applied fs.applyEdits')
      h.await_statuses(0, { 'applied', 'ready' })
      h.same(vim.fn.getreg('"'), 'before')
      h.go_to('id: e2')
      h.apply()
      h.hear('the reply is in register')
      h.contains(vim.fn.getreg('"'), 'OPERATOR_RESULT\nid: e1\nok: true\n')
      h.contains(vim.fn.getreg('"'), 'OPERATOR_RESULT\nid: e2\nok: true\n')
    end,
  },
  {
    'where one reply answers every block, it is put there once',
    function(w)
      local lines = {}
      for _, id in ipairs({ 'k7m', 'q2x' }) do
        table.insert(lines, ('#!SHAM [@three-char-SHA-256: %s]'):format(id))
        vim.list_extend(lines, { 'action = "file_read"', ('path = "%s/a.txt"'):format(w.root), '#!END_SHAM_' .. id })
      end
      w:write('a.txt', 'one\n')
      w:transcript(table.concat(lines, '\n') .. '\n', { 'ready', 'ready' })
      vim.cmd('Operator reply a')
      h.hear('the reply is in register a')
      local reply = vim.json.decode(vim.fn.getreg('a'))
      local ids = vim.tbl_map(function(result)
        return result.blockId
      end, reply.results)
      h.same(ids, { 'k7m', 'q2x' })
    end,
  },
  {
    'the reply says what is wrong, and nothing of a block that waits for an earlier one',
    function(w)
      w:write('a.txt', 'one\none\n')
      local waits = h.write('w1', 'new.txt', 'one\n') .. h.replace('w2', 'new.txt', 'one', 'two')
      w:transcript(h.replace('e1', 'a.txt', 'one', 'eins') .. waits, { 'blocked', 'ready', 'blocked' })
      vim.cmd('Operator reply a')
      h.hear('the reply is in register a; 1 block waits for you')
      local reply = vim.fn.getreg('a')
      h.contains(reply, 'id: e1\nok: false\n')
      h.contains(reply, 'a.txt')
      h.same(reply:find('id: w2', 1, true), nil)
    end,
  },
  {
    'the specification is shown as the program prints it',
    function()
      local titles = { operator = 'operator', sham = 'sham', replacer = 'search and replace' }
      for name, title in pairs(titles) do
        vim.cmd('Operator spec ' .. name)
        h.same(vim.bo.filetype, 'markdown')
        h.contains(vim.fn.getline(1):lower(), title)
        vim.cmd.close()
      end
      vim.cmd('Operator spec nonsense')
      h.hear("invalid value 'nonsense'")
    end,
  },
  {
    'a prompt has the open files, or those that are named, and says what is left out',
    function(w)
      w:write('.env', 'A=1\n')
      w:write('docs/one.md', '# One\n')
      local bufnr = w:edit('a.py', 'x = 1\n')
      vim.cmd('Operator prompt')
      h.hear('1 file, about ')
      h.contains(vim.fn.getreg('"'), '\n## a.py\n')
      h.contains(vim.fn.getreg('"'), 'x = 1\n')
      vim.cmd('Operator prompt docs *.py .env')
      h.contains(h.hear('2 files, about '), ' tokens; left out: .env (files of this name hold secrets)')
      vim.cmd('Operator prompt gone.py')
      h.hear('does not exist')
      vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, { 'x = 2' })
      vim.cmd('Operator prompt')
      h.hear('save a.py first')
      w:transcript(h.read('r1', 'a.py'), { 'ready' })
      vim.cmd('Operator prompt a.py')
      h.hear('1 file, about ')
      h.contains(vim.fn.getreg('"'), 'x = 2\n')
    end,
  },
  {
    'subcommands are completed where they can be used',
    function(w)
      h.same(vim.fn.getcompletion('Operator ', 'cmdline'), { 'log', 'paste', 'prompt', 'redo', 'restart', 'root', 'scan', 'server_log', 'spec', 'undo' })
      h.same(vim.fn.getcompletion('Operator spec s', 'cmdline'), { 'search-replace', 'sham', 'structure' })
      w:transcript(h.read('r1', 'a.txt'), { 'blocked' })
      h.same(vim.fn.getcompletion('Operator ap', 'cmdline'), { 'apply', 'apply_all', 'apply_and_reply' })
    end,
  },
  {
    'what cannot be done is said',
    function(w)
      vim.cmd('Operator undo')
      h.hear('the language server is not running')
      vim.cmd('Operator inbox')
      h.hear('the server does not know this buffer as a transcript')
      vim.cmd('Operator nonsense')
      h.hear('unknown subcommand `nonsense`; use one of: apply, apply_all')
      vim.cmd('Operator')
      local usage = h.hear(':Operator apply ')
      h.contains(usage, '\n  :Operator reply [{reg}]      copy the reply to the model')
      for line in vim.gsplit(usage, '\n') do
        assert(#line < 80, line)
      end
      vim.cmd('Operator restart now')
      h.hear('takes no argument')
      w:transcript('# Chat\n\n' .. h.read('r1', 'a.txt'), { 'blocked' })
      vim.cmd('normal! gg')
      vim.cmd('Operator apply')
      h.hear('no block at the cursor')
      vim.cmd('Operator undo')
      h.hear('operator: ')
      vim.cmd('Operator apply_all')
      h.hear('no proposal of this transcript can be applied')
    end,
  },
  {
    'a restarted server knows the transcript again',
    function(w)
      w:write('a.txt', 'one\n')
      local bufnr = w:transcript(h.read('r1', 'a.txt'), { 'ready' })
      local first = vim.lsp.get_clients({ bufnr = bufnr })[1].id
      vim.cmd('Operator restart')
      h.hear('was started again')
      h.await_statuses(bufnr, { 'ready' })
      h.same(vim.lsp.get_clients({ bufnr = bufnr })[1].id ~= first, true)
      vim.cmd('Operator server_log')
      h.hear('the log of all language servers')
      h.contains(vim.api.nvim_buf_get_name(0), 'lsp.log')
    end,
  },
  {
    'a server that ends is asked nothing more',
    function(w)
      local bufnr = w:transcript(h.read('r1', 'a.txt'), { 'blocked' })
      local client = vim.lsp.get_clients({ bufnr = bufnr })[1]
      client:stop()
      -- What Neovim does when the server sends this; 0.11 does not know it.
      local refresh = vim.lsp.handlers['workspace/diagnostic/refresh']
      if refresh then
        refresh(nil, nil, { client_id = client.id, method = 'workspace/diagnostic/refresh' })
      end
      h.until_('the end of the server', function()
        return #vim.lsp.get_clients() == 0
      end)
      h.same(h.heard(), {})
    end,
  },
  {
    'a binary that is not there is said once a file would need it',
    function(w)
      vim.lsp.config('operator_lsp', { cmd = { '/nowhere/operator-lsp' } })
      w:write('chat.md', '')
      w:edit('chat.md')
      h.hear('`/nowhere/operator-lsp` is not on the PATH or not executable')
      vim.cmd('Operator spec')
      h.hear('`/nowhere/operator-lsp` cannot be run')
    end,
  },
}

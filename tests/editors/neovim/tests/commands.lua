-- `:Operator` and what it shows.
local h = require('harness')

local function open_preview()
  vim.cmd('Operator preview')
  h.until_('the preview', function()
    return #vim.api.nvim_list_tabpages() == 2
  end)
end

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
      h.same(vim.api.nvim_buf_get_lines(0, 0, -1, false), {
        '    2  ready      fs.applyEdits a.txt  [e1]',
        '    9  blocked    fs.read missing.txt  [r1]  1 problem',
      })
      h.contains(vim.w.quickfix_title, 'chat.md: 1 ready, 1 blocked')
      -- From the list, the command is about the block on the list's line.
      vim.cmd('Operator apply')
      h.hear('applied fs.applyEdits a.txt, not saved yet: a.txt')
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
    'the preview is a diff of every file that would change',
    function(w)
      w:write('a.txt', 'one\ntwo\n')
      local bufnr = w:transcript(h.replace('e1', 'a.txt', 'two', 'zwei'), { 'ready' })
      open_preview()
      local sides = vim.tbl_map(function(window)
        h.same(vim.wo[window].diff, true)
        return h.text(vim.api.nvim_win_get_buf(window))
      end, vim.api.nvim_tabpage_list_wins(0))
      h.same(sides, { 'one\ntwo\n', 'one\nzwei\n' })
      h.same(vim.bo.modifiable, false)
      vim.api.nvim_feedkeys('a', 'xt', false)
      h.hear('applied fs.applyEdits a.txt')
      h.same(#vim.api.nvim_list_tabpages(), 1)
      h.same(vim.api.nvim_get_current_buf(), bufnr)
      h.await_statuses(bufnr, { 'applied' })
    end,
  },
  {
    'a preview of several files goes from one to the next',
    function(w)
      w:write('old.txt', 'kept\n')
      w:transcript(h.move('m1', 'old.txt', 'new.txt'), { 'ready' })
      open_preview()
      local function titles()
        return vim.tbl_map(function(window)
          return (vim.wo[window].winbar:match('^ (.-)%%='))
        end, vim.api.nvim_tabpage_list_wins(0))
      end
      h.same(titles(), { 'old.txt', 'deleted' })
      vim.api.nvim_feedkeys(']f', 'xt', false)
      h.same(titles(), { 'not there yet', 'new.txt (new)' })
      vim.api.nvim_feedkeys('q', 'xt', false)
      h.same(#vim.api.nvim_list_tabpages(), 1)
    end,
  },
  {
    'a preview that is out of date applies nothing',
    function(w)
      w:write('a.txt', 'one\n')
      local bufnr = w:transcript(h.replace('e1', 'a.txt', 'one', 'eins'), { 'ready' })
      open_preview()
      vim.api.nvim_buf_set_lines(bufnr, 0, 0, false, { 'typed meanwhile' })
      vim.api.nvim_feedkeys('a', 'xt', false)
      h.hear('has changed')
      h.same(vim.fn.bufloaded('a.txt'), 0)
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
      h.hear('applied 1 proposal, not saved yet: a.txt')
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
      h.contains(first, 'look       fs.write Makefile  [m1]  needs a look: `Makefile` is a file that a build tool')
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
      h.hear('applied 1 proposal, not saved yet: a.txt')
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
    'replies go to a register, of what is decided on',
    function(w)
      w:write('a.txt', 'one\n')
      local bufnr = w:transcript(h.read('r1', 'a.txt') .. h.read('r2', 'missing.txt') .. h.replace('e1', 'a.txt', 'one', 'eins'), { 'ready', 'blocked', 'ready' })
      vim.cmd('Operator replies a')
      h.hear('2 replies in register a; 1 block not decided on yet')
      local replies = vim.fn.getreg('a')
      h.contains(replies, 'OPERATOR_RESULT\nid: r1\nok: true\n')
      h.contains(replies, 'OPERATOR_RESULT\nid: r2\nok: false\n')
      h.same(replies:find('id: e1', 1, true), nil)
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
      w:write('chat.md', table.concat(lines, '\n') .. '\n')
      local bufnr = w:edit('chat.md')
      h.await_statuses(bufnr, { 'ready', 'ready' })
      vim.cmd('Operator replies a')
      h.hear('1 reply in register a')
      local reply = vim.json.decode(vim.fn.getreg('a'))
      local ids = vim.tbl_map(function(result)
        return result.blockId
      end, reply.results)
      h.same(ids, { 'k7m', 'q2x' })
    end,
  },
  {
    'problems are a text that asks for corrected blocks',
    function(w)
      w:write('a.txt', 'one\none\n')
      local bufnr = w:transcript(h.replace('e1', 'a.txt', 'one', 'eins') .. h.read('r1', 'a.txt') .. h.read('r2', 'b.txt'), { 'blocked', 'ready', 'blocked' })
      vim.cmd('Operator problems a')
      h.hear('a text that asks for 2 corrected blocks is in register a')
      local text = vim.fn.getreg('a')
      h.contains(text, '2 of the 3 edit blocks in your answer cannot be applied.')
      h.contains(text, '1. Block `e1`, fs.applyEdits a.txt, is blocked:')
      h.contains(text, '2. Block `r2`, fs.read b.txt, is blocked:\n   - line 5, plan/file-not-found')
      h.contains(text, '\n     > path: b.txt\n')
      h.same(text:find('`r1`', 1, true), nil)
    end,
  },
  {
    'a block that waits for an earlier one is not asked for again',
    function(w)
      w:transcript(h.write('w1', 'new.txt', 'one\n') .. h.replace('w2', 'new.txt', 'one', 'two'), { 'ready', 'blocked' })
      vim.cmd('Operator problems a')
      h.hear('no problems found')
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
    'subcommands are completed where they can be used',
    function(w)
      h.same(vim.fn.getcompletion('Operator ', 'cmdline'), { 'log', 'redo', 'restart', 'scan', 'server_log', 'spec', 'undo' })
      h.same(vim.fn.getcompletion('Operator spec s', 'cmdline'), { 'sham', 'search-replace', 'structure' })
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
      h.hear('say what to do')
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

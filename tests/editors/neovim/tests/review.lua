-- The review: what rows of the inbox say, previews, and the way from one block to the next.
local h = require('harness')

local function open_preview()
  vim.cmd('Operator preview')
  h.until_('the preview', function()
    return #vim.api.nvim_list_tabpages() == 2
  end)
end

local function keys(text)
  vim.api.nvim_feedkeys(vim.keycode(text), 'xt', false)
end

-- The right side of the preview, and what is above both sides.
local function preview()
  local windows = vim.api.nvim_tabpage_list_wins(0)
  return h.text(vim.api.nvim_win_get_buf(windows[2])), vim.wo[windows[1]].winbar, vim.wo[windows[2]].winbar
end

local function await_preview(part)
  h.until_('a preview with ' .. part, function()
    return #vim.api.nvim_list_tabpages() == 2 and preview():find(part, 1, true)
  end)
end

local function does(kind, more)
  local block = { summary = 'fs.any a.txt', path = 'a.txt', does = vim.tbl_extend('error', { kind = kind }, more or {}) }
  return require('operator.deed').text(block)
end

return {
  {
    'a row says what the block does',
    function()
      h.same(does('edit', { files = 1, added = 2, removed = 1 }), 'a.txt  edit +2 −1')
      h.same(does('edit', { files = 3, added = 2, removed = 1 }), 'a.txt  edit 3 files, +2 −1')
      h.same(does('edit'), 'a.txt  edit')
      h.same(does('create', { files = 1, added = 7, removed = 0 }), 'a.txt  new file, 7 lines')
      h.same(does('delete', { files = 1, added = 0, removed = 3 }), 'a.txt  delete 3 lines')
      h.same(does('move', { to = 'docs/ideas.txt' }), 'a.txt  → docs/ideas.txt')
      h.same(does('read', { first = 8, last = 19 }), 'a.txt  read lines 8–19')
      h.same(does('read'), 'a.txt  read')
      h.same(does('search', { query = ('Bonjour '):rep(5) }), 'a.txt  search “Bonjour Bonjour Bonjour…”')
      h.same(does('other'), 'fs.any a.txt')
      h.same(require('operator.deed').text({ summary = 'fs.any a.txt' }), 'fs.any a.txt')
    end,
  },
  {
    'the line above a preview has what fits',
    function()
      local text = require('operator.winbar').text
      h.same(text(30, 'a.txt', { 'a apply  q close', 'a q' }), ' a.txt%=a apply  q close ')
      h.same(text(22, 'a.txt', { 'a apply  q close', 'a q' }), ' a.txt%=a q ')
      h.same(text(16, 'greeter/cli.py', { 'a apply', 'a q' }), ' …r/cli.py%=a q ')
      h.same(text(40, '100%.txt', { '' }), ' 100%%.txt%= ')
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
    'a change that is left out of the preview is not applied, and the model is told',
    function(w)
      w:write('a.txt', 'one\nkeep\ntwo\nkeep\nthree\n')
      local bufnr = w:transcript(h.write('w1', 'a.txt', 'ONE\nkeep\nTWO\nkeep\nTHREE\n'), { 'ready' })
      open_preview()
      local function shows(text)
        h.until_('the preview with ' .. vim.inspect(text), function()
          return preview() == text
        end)
      end
      shows('ONE\nkeep\nTWO\nkeep\nTHREE\n')
      vim.api.nvim_win_set_cursor(0, { 2, 0 })
      keys('x')
      h.hear('the cursor is not on a change')
      vim.api.nvim_win_set_cursor(0, { 3, 0 })
      keys('x')
      shows('ONE\nkeep\ntwo\nkeep\nTHREE\n')
      local _, left = preview()
      h.contains(left, '2 of 3 changes')
      keys('u')
      shows('ONE\nkeep\nTWO\nkeep\nTHREE\n')
      vim.api.nvim_win_set_cursor(0, { 1, 0 })
      keys('x')
      shows('one\nkeep\nTWO\nkeep\nTHREE\n')
      vim.api.nvim_win_set_cursor(0, { 3, 0 })
      keys('x')
      shows('one\nkeep\ntwo\nkeep\nTHREE\n')
      vim.api.nvim_win_set_cursor(0, { 5, 0 })
      keys('x')
      h.hear('r rejects the block')
      vim.cmd('Operator apply')
      h.hear('applied fs.write a.txt')
      h.await_statuses(bufnr, { 'applied' })
      h.same(h.text(vim.fn.bufnr('a.txt')), 'one\nkeep\ntwo\nkeep\nTHREE\n')
      keys('q')
      vim.cmd('Operator reply')
      h.until_('the reply', function()
        return vim.fn.getreg('"'):find('edited a.txt in part, 1 of 3 hunks', 1, true)
      end)
    end,
  },
  {
    'the review goes from one block to the next',
    function(w)
      w:write('a.txt', 'one\ntwo\nthree\nfour\n')
      local names = { one = 'eins', two = 'zwei', three = 'drei', four = 'vier' }
      local text = h.read('r1', 'a.txt')
      for _, old in ipairs({ 'one', 'two', 'three', 'four' }) do
        text = text .. h.replace(old, 'a.txt', old, names[old])
      end
      local bufnr = w:transcript(text, { 'ready', 'ready', 'ready', 'ready', 'ready' })
      vim.cmd('Operator inbox')
      h.until_('the list', function()
        return vim.bo.buftype == 'quickfix'
      end)
      local inbox = vim.api.nvim_get_current_win()
      vim.api.nvim_win_set_cursor(inbox, { 3, 0 })
      keys('<CR>')
      await_preview('zwei')
      local _, left, right = preview()
      h.contains(left, ' a.txt%=')
      h.contains(left, '2 of 4 ')
      h.contains(right, ' after%=a apply  A next  r reject  q ')
      -- `:Operator` is about the block that is shown.
      vim.cmd('Operator reply a')
      h.hear('the reply is in register a; 4 blocks wait')
      keys(']p')
      await_preview('drei')
      keys('[p')
      await_preview('zwei')
      keys('[p[p')
      await_preview('eins')
      keys('A')
      h.hear('applied fs.applyEdits a.txt')
      await_preview('zwei')
      h.contains(select(2, preview()), '1 of 3 ')
      keys('r')
      h.hear('rejected fs.applyEdits a.txt')
      await_preview('drei')
      keys(']p')
      await_preview('vier')
      keys('A')
      h.hear('applied fs.applyEdits a.txt')
      await_preview('drei')
      keys('A')
      h.hear('applied fs.applyEdits a.txt')
      h.hear('no block is left to review: 1 ready, 3 applied, 1 rejected')
      h.same(vim.api.nvim_get_current_win(), inbox)
      h.same(h.text(vim.fn.bufnr('a.txt')), 'eins\ntwo\ndrei\nvier\n')
      -- What changes nothing is gone to.
      vim.api.nvim_win_set_cursor(inbox, { 1, 0 })
      keys('<CR>')
      h.same(vim.api.nvim_get_current_buf(), bufnr)
      h.same(vim.api.nvim_win_get_cursor(0), { 1, 0 })
    end,
  },
  {
    'next and previous go to the blocks that are not decided on',
    function(w)
      w:write('a.txt', 'one\ntwo\n')
      local bufnr = w:transcript(h.replace('e1', 'a.txt', 'one', 'eins') .. h.read('r1', 'gone.txt') .. h.replace('e2', 'a.txt', 'two', 'zwei'), { 'ready', 'blocked', 'ready' })
      h.go_to('id: e1')
      vim.cmd('Operator apply')
      h.hear('applied ')
      h.await_statuses(bufnr, { 'applied', 'blocked', 'ready' })
      local function lands(command, line)
        vim.cmd('Operator ' .. command)
        h.until_(command .. ' at line ' .. line, function()
          return vim.api.nvim_win_get_cursor(0)[1] == line
        end)
      end
      local lines = vim.tbl_map(function(status)
        return status[1] + 1
      end, h.statuses(bufnr))
      lands('next', lines[2])
      lands('next', lines[3])
      lands('next', lines[2])
      lands('previous', lines[3])
      lands('previous', lines[2])
    end,
  },
  {
    'maps of the user reach the commands, and a status line says what waits',
    function(w)
      w:write('a.txt', 'one\n')
      local bufnr = w:transcript(h.replace('e1', 'a.txt', 'one', 'eins') .. h.read('r1', 'gone.txt'), { 'ready', 'blocked' })
      local line = require('operator').statusline
      h.same(line(), '1 ready, 1 blocked')
      h.same(line(vim.fn.bufadd('a.txt')), '')
      h.same(vim.api.nvim_eval_statusline("%{v:lua.require'operator'.statusline()}", {}).str, '1 ready, 1 blocked')
      h.go_to('id: e1')
      vim.keymap.set('n', 'ZA', '<Plug>(operator-apply)', { buffer = bufnr })
      vim.api.nvim_feedkeys('ZA', 'xt', false)
      h.hear('applied fs.applyEdits a.txt')
      h.await_statuses(bufnr, { 'applied', 'blocked' })
      h.same(line(), '1 blocked')
    end,
  },
}

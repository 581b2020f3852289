-- Chats that are not files: answers that are pasted, and the buffers of chat plugins.
local h = require('harness')

local SEARCH = 'a.txt\n<<<<<<< SEARCH\n%s\n=======\n%s\n>>>>>>> REPLACE\n'

local function search(old, new)
  return '```\n' .. SEARCH:format(old, new) .. '```\n'
end

local function in_inbox()
  h.until_('the list', function()
    return vim.bo.buftype == 'quickfix'
  end)
  return vim.api.nvim_win_get_cursor(0)[1], vim.fn.getloclist(0, { filewinid = 0 }).filewinid
end

return {
  {
    'an answer is pasted into one chat, which the next one is added to',
    function(w)
      w:write('a.txt', 'one\ntwo\n')
      vim.fn.setreg('"', 'First:\n\n' .. search('one', 'eins'))
      vim.cmd('Operator paste')
      h.hear('the answer has 1 block: 1 ready')
      local line, window = in_inbox()
      local chat = vim.api.nvim_win_get_buf(window)
      h.same(line, 1)
      h.same(vim.api.nvim_buf_get_name(chat), 'operator://' .. w.root .. '/chat.md')
      h.same({ vim.bo[chat].buftype, vim.bo[chat].filetype }, { 'nofile', 'markdown' })
      vim.cmd('Operator apply')
      h.hear('applied ')
      h.await_statuses(chat, { 'applied' })
      vim.fn.setreg('a', search('two', 'zwei') .. search('gone', 'weg'), 'V')
      vim.cmd('Operator paste a')
      h.hear('the answer has 2 blocks: 1 ready, 1 blocked')
      h.same({ in_inbox() }, { 2, window })
      h.contains(h.text(chat), '```\n\n──────── ')
      h.same(vim.api.nvim_win_get_cursor(window), { 14, 0 })
      local before = h.text(chat)
      vim.cmd('Operator paste a')
      h.hear('the answer has 2 blocks')
      h.same(h.text(chat), before)
      vim.cmd('Operator restart')
      h.hear('was started again')
      h.await_statuses(chat, { 'applied', 'ready', 'blocked' })
    end,
  },
  {
    'an answer after a copied reply corrects what that asks for again',
    function(w)
      w:write('a.txt', 'one\ntwo\n')
      vim.fn.setreg('a', search('gone', 'weg') .. search('two', 'zwei'), 'V')
      vim.cmd('Operator paste a')
      h.hear('the answer has 2 blocks: 1 blocked, 1 ready')
      local _, window = in_inbox()
      local chat = vim.api.nvim_win_get_buf(window)
      vim.api.nvim_set_current_win(window)
      vim.cmd('Operator apply_all')
      h.hear('applied ')
      vim.cmd('Operator reply c')
      h.hear('in register c')
      vim.fn.setreg('a', search('one', 'eins'), 'V')
      vim.cmd('Operator paste a')
      h.hear('the answer has 1 block: 1 ready')
      h.await_statuses(chat, { 'superseded', 'applied', 'ready' })
      h.contains(h.text(chat), '\n' .. vim.fn.getreg('c'))
      -- It was told once, so it is there once.
      vim.fn.setreg('a', 'And that is all.\n', 'V')
      vim.cmd('Operator paste a')
      h.hear('no edit block is in the 1 line')
      h.same(select(2, h.text(chat):gsub('operator%-lsp applied', '')), 1)
    end,
  },
  {
    'an answer without a block is pasted, and what was seen instead is said',
    function()
      vim.fn.setreg('a', 'There is nothing\nto change.\n')
      vim.cmd('Operator paste a')
      h.hear('no edit block is in the 2 lines that you pasted')
      vim.fn.setreg('a', '<<<<<<< SEARC\none\n')
      vim.cmd('Operator paste b')
      h.hear('register b holds no text')
      vim.lsp.enable('operator_lsp', false)
      vim.cmd('silent bwipeout!')
      vim.cmd('Operator paste a')
      h.hear('the language server is not switched on')
      vim.lsp.enable('operator_lsp')
    end,
  },
  {
    'the buffers of chat plugins are searched for blocks',
    function(w)
      local made = {
        { '[CodeCompanion] 9823', 'codecompanion', 'one.txt' },
        { 'copilot-chat', 'copilot-chat', 'two.txt' },
        { 'AVANTE_RESULT', 'Avante', 'three.txt' },
      }
      for _, each in ipairs(made) do
        local name, filetype, file = unpack(each)
        w:write(file, 'one\ntwo\n')
        local bufnr = vim.api.nvim_create_buf(false, true)
        vim.bo[bufnr].filetype = filetype
        vim.api.nvim_buf_set_name(bufnr, name)
        vim.api.nvim_set_current_buf(bufnr)
        h.until_('the client', function()
          return vim.lsp.get_clients({ name = 'operator_lsp', bufnr = bufnr })[1]
        end)
        -- The answer comes later.
        local diff = '```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -2 +2 @@\n-two\n+zwei\n```\n'
        local answer = ('## Model\n\n' .. search('one', 'eins') .. diff):gsub('a%.txt', file)
        vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, vim.split(answer, '\n'))
        vim.bo[bufnr].modifiable = filetype ~= 'Avante'
        h.await_statuses(bufnr, { 'ready', 'ready' })
        vim.api.nvim_buf_set_name(bufnr, name .. ' with a title')
        h.same(h.statuses(bufnr), {})
        h.await_statuses(bufnr, { 'ready', 'ready' })
        vim.cmd('Operator apply_all')
        h.hear('applied 2 changes')
        h.same(h.text(vim.fn.bufnr(file)), 'eins\nzwei\n')
      end
    end,
  },
  {
    'the files of gp.nvim are chats',
    function(w)
      -- Outside of every repository.
      local folder = vim.uv.fs_realpath(vim.uv.fs_mkdtemp(vim.fs.joinpath(vim.uv.os_tmpdir(), 'operator-XXXXXX')))
      package.loaded.gp = { config = { chat_dir = folder } }
      w:write('a.txt', 'one\n')
      local diff = '```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+eins\n```'
      vim.fn.writefile(vim.split(diff, '\n'), folder .. '/2026-11-23.12-00-00.123.md')
      vim.cmd.edit(folder .. '/2026-11-23.12-00-00.123.md')
      h.await_statuses(0, { 'ready' })
      package.loaded.gp = nil
      vim.fn.delete(folder, 'rf')
    end,
  },
  {
    'a chat plugin is left alone where the settings list other file types',
    function()
      vim.lsp.config('operator_lsp', { filetypes = { 'markdown' } })
      local bufnr = vim.api.nvim_create_buf(false, true)
      vim.bo[bufnr].filetype = 'codecompanion'
      vim.wait(100)
      h.same(vim.lsp.get_clients({ _uninitialized = true }), {})
    end,
  },
}

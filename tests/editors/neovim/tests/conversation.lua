-- Conversations with blocks of chats: paste, apply all, the reply, the next answer, and back.
local h = require('harness')

local spec = vim.env.OPERATOR_REPOSITORY .. '/spec/examples/'

--- The parts of a conversation: an answer, the reply to it, the next answer, the reply to that.
local function parts(example)
  local file = assert(io.open(spec .. example, 'rb'))
  local text = file:read('*a')
  file:close()
  local begins = 'operator-lsp applied'
  local reply = assert(text:find(begins, 1, true))
  local second = assert(text:find('\n**Model:**', reply, true))
  local last = assert(text:find(begins, second, true))
  return { text:sub(1, reply - 1), text:sub(reply, second - 1), text:sub(second, last - 1), text:sub(last) }
end

--- Pastes a text at the end of a buffer, without its last line ending.
local function paste(bufnr, text)
  vim.api.nvim_set_current_buf(bufnr)
  vim.fn.setreg('a', text, 'V')
  vim.cmd('normal! G"ap')
end

--- The reply for the model, from a register.
local function reply()
  vim.cmd('Operator reply b')
  h.hear('in register b')
  return vim.fn.getreg('b')
end

local function two_rounds(example, first, second, last, files)
  return function(w)
    local workspace = vim.fn.shellescape(spec .. 'workspace')
    vim.fn.system(('cp -r %s/. %s'):format(workspace, vim.fn.shellescape(w.root)))
    local function all()
      vim.cmd('silent wall')
      return vim.tbl_map(function(path)
        return w:read(path) or ''
      end, files)
    end
    local before = all()
    local chat = parts(example)
    local bufnr = w:edit('chat.md', '')
    paste(bufnr, chat[1])
    h.await_statuses(bufnr, first)
    vim.cmd('Operator apply_all')
    h.hear('applied ')
    h.same(reply(), chat[2])
    local between = all()

    paste(bufnr, chat[2] .. chat[3])
    h.await_statuses(bufnr, second)
    vim.cmd('Operator apply_all')
    h.hear('applied ')
    h.await_statuses(bufnr, last)
    h.same(reply(), chat[4])
    assert(not vim.deep_equal(all(), between))

    vim.api.nvim_set_current_buf(bufnr)
    vim.cmd('Operator undo')
    h.hear('undid the last apply')
    h.same(all(), between)
    vim.api.nvim_set_current_buf(bufnr)
    vim.cmd('Operator undo')
    h.hear('undid the last apply')
    h.same(all(), before)
  end
end

local ready, done, gone, blocked, invalid = 'ready', 'applied', 'superseded', 'blocked', 'invalid'

return {
  {
    'a conversation with search-replace blocks has two rounds, and is undone',
    two_rounds(
      'search-replace-conversation.md',
      { ready, ready, ready, blocked, ready, blocked, invalid },
      { done, done, done, gone, done, gone, gone, ready, ready, ready },
      { done, done, done, gone, done, gone, gone, done, done, done },
      { 'greeter/cli.py', 'greeter/__init__.py', 'greeter/__main__.py', 'tests/test_greeter.py', 'notes.txt' }
    ),
  },
  {
    'a conversation with patches has two rounds, and is undone',
    two_rounds(
      'apply-patch-conversation.md',
      { ready, blocked, invalid },
      { done, gone, gone, ready, ready },
      { done, gone, gone, done, done },
      { 'greeter/cli.py', 'greeter/__init__.py', 'greeter/__main__.py', 'tests/test_greeter.py', 'notes.txt', 'docs/ideas.md' }
    ),
  },
  {
    'a conversation with diffs has two rounds, and is undone',
    two_rounds(
      'diff-conversation.md',
      { ready, ready, ready, blocked, invalid },
      { done, done, done, gone, gone, ready, ready },
      { done, done, done, gone, gone, done, done },
      { 'greeter/cli.py', 'greeter/__init__.py', 'greeter/__main__.py', 'tests/test_greeter.py', 'notes.txt', 'docs/ideas.md' }
    ),
  },
  {
    'a conversation with whole files has two rounds, and is undone',
    two_rounds(
      'files-conversation.md',
      { ready, ready, blocked, blocked, ready },
      { done, done, gone, gone, done, ready, ready },
      { done, done, gone, gone, done, done, done },
      { 'greeter/cli.py', 'greeter/__init__.py', 'greeter/__main__.py', 'tests/test_greeter.py', 'notes.txt' }
    ),
  },
  {
    'a diff in a page is an example, until somebody says that it is not',
    function(w)
      w:edit('a.txt', 'one\n')
      local bufnr = w:edit('page.md', '```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n```\n')
      h.until_('the server for the page', function()
        local client = vim.lsp.get_clients({ bufnr = bufnr })[1]
        return client and client.initialized
      end)
      h.await_statuses(bufnr, {})
      vim.cmd('Operator scan')
      h.hear('searched for all kinds')
      h.await_statuses(bufnr, { ready })
    end,
  },
}

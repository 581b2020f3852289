-- Runs the tests one after the other, each in a workspace and with a server of its own.
local M = {}

local LIMIT = 20000
local results = vim.env.OPERATOR_RESULTS

-- What was said to the user and no test has looked at yet.
local said = {}

vim.notify = function(text, level)
  table.insert(said, { text = text, level = level or vim.log.levels.INFO })
end

vim.notify_once = vim.notify

-- What the tests have put into the place of something else.
local stubs = {}

--- Puts something into the place of a function until the test is over.
function M.stub(owner, name, instead)
  table.insert(stubs, { owner = owner, name = name, before = owner[name] })
  owner[name] = instead
end

-- Everything that a test has set is as it was.
local function restore(config)
  for _, stub in vim.iter(stubs):rev():enumerate() do
    stub.owner[stub.name] = stub.before
  end
  stubs = {}
  vim.lsp.config.operator_lsp = config
end

--- Waits until something is there.
function M.until_(what, found)
  local value
  local ok = vim.wait(LIMIT, function()
    value = found()
    return value ~= nil and value ~= false
  end, 10)
  if not ok then
    error(('waited in vain for %s; said meanwhile: %s'):format(what, vim.inspect(M.heard())), 2)
  end
  return value
end

--- Waits for a message that holds `part`, and takes it away.
function M.hear(part)
  return M.until_('a message with ' .. part, function()
    for index, message in ipairs(said) do
      if message.text:find(part, 1, true) then
        table.remove(said, index)
        return message.text
      end
    end
  end)
end

--- All that was said and no test has looked at.
function M.heard()
  return vim.tbl_map(function(message)
    return message.text
  end, said)
end

--- The values must be the same.
function M.same(actual, expected, what)
  if not vim.deep_equal(actual, expected) then
    local says = ('%s\n  is:       %s\n  expected: %s'):format(what or 'not the same', vim.inspect(actual), vim.inspect(expected))
    error(says, 2)
  end
end

--- A text has to hold another.
function M.contains(text, part)
  if not text:find(part, 1, true) then
    error(('%q is not in:\n%s'):format(part, text), 2)
  end
end

local Workspace = {}
Workspace.__index = Workspace

--- Writes a file of the workspace.
function Workspace:write(path, text)
  local full = self.root .. '/' .. path
  vim.fn.mkdir(vim.fs.dirname(full), 'p')
  local file = assert(io.open(full, 'wb'))
  file:write(text)
  file:close()
  return full
end

--- What is on disk; nothing where there is no file.
function Workspace:read(path)
  local file = io.open(self.root .. '/' .. path, 'rb')
  local text = file and file:read('*a')
  if file then
    file:close()
  end
  return text
end

--- Opens a file, written before if its text is given, and gives its buffer.
function Workspace:edit(path, text)
  if text then
    self:write(path, text)
  end
  vim.cmd.edit(vim.fn.fnameescape(self.root .. '/' .. path))
  return vim.api.nvim_get_current_buf()
end

--- Writes and opens a transcript, and waits until its blocks have these statuses.
function Workspace:transcript(text, statuses, path)
  local bufnr = self:edit(path or 'chat.md', text)
  M.await_statuses(bufnr, statuses)
  return bufnr
end

--- The virtual texts with the statuses, in order: `{line, text}`.
function M.statuses(bufnr)
  local namespace = vim.api.nvim_get_namespaces()['operator.status']
  local marks = namespace and vim.api.nvim_buf_get_extmarks(bufnr, namespace, 0, -1, { details = true }) or {}
  return vim.tbl_map(function(mark)
    return { mark[2], vim.trim(mark[4].virt_text[1][1]) }
  end, marks)
end

--- Waits until the statuses of all blocks, in order, begin with these words.
function M.await_statuses(bufnr, expected)
  local words
  local ok, why = pcall(M.until_, 'statuses ' .. vim.inspect(expected), function()
    words = vim.tbl_map(function(status)
      return status[2]:match('^%a+')
    end, M.statuses(bufnr))
    return vim.deep_equal(words, expected)
  end)
  if not ok then
    error(('%s; they are %s'):format(why, vim.inspect(words)), 2)
  end
end

--- What the blocks do, as the inbox says it.
function M.deeds(bufnr)
  local client = vim.lsp.get_clients({ name = 'operator_lsp', bufnr = bufnr })[1]
  local params = { textDocument = { uri = vim.uri_from_bufnr(bufnr) } }
  local answer = assert(client:request_sync('operator/proposals', params, LIMIT, bufnr))
  return vim.tbl_map(require('operator.deed').text, require('operator.server').without_nulls(answer.result))
end

--- The text of a buffer.
function M.text(bufnr)
  local text = table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n')
  return vim.bo[bufnr].endofline and text .. '\n' or text
end

--- A block of the dialect operator, with more lines if it has any.
function M.block(id, action, path, ...)
  local head = { 'OPERATOR_CMD', 'version: 1', 'id: ' .. id, 'action: ' .. action, 'path: ' .. path }
  local lines = vim.list_extend(vim.list_extend(head, { ... }), { 'END_OPERATOR_CMD', '' })
  return table.concat(lines, '\n')
end

--- A block that replaces the one place of a text in a file.
function M.replace(id, path, old, new)
  local edits = { version = 1, edits = { { op = 'replaceFirst', find = old, text = new } } }
  return M.block(id, 'fs.applyEdits', path, 'edits_b64: ' .. vim.base64.encode(vim.json.encode(edits)))
end

--- A block that writes a file.
function M.write(id, path, content)
  return M.block(id, 'fs.write', path, 'content_b64: ' .. vim.base64.encode(content))
end

--- A block that reads a file.
function M.read(id, path)
  return M.block(id, 'fs.read', path)
end

--- A block that moves a file.
function M.move(id, from, to)
  return M.block(id, 'fs.move', from, 'path_to: ' .. to)
end

--- Puts the cursor on the first line that holds a text.
function M.go_to(text)
  if vim.fn.search([[\V]] .. vim.fn.escape(text, [[\]]), 'cw') == 0 then
    error(('%q is not in the buffer'):format(text), 2)
  end
end

--- Takes the code action of a kind where the cursor is: the first one of the menu, if there are more.
function M.take(kind)
  M.stub(vim.ui, 'select', function(items, _, choose)
    choose(items[1], 1)
  end)
  vim.lsp.buf.code_action({ context = { only = { kind }, diagnostics = {} }, apply = true })
end

--- Takes the code action that applies the block where the cursor is.
function M.apply()
  M.take('refactor.rewrite.operator.apply')
end

--- Ends every server; one that is only starting is told to as soon as it listens.
function M.end_servers()
  local told = {}
  local ended = vim.wait(5000, function()
    local clients = vim.lsp.get_clients({ _uninitialized = true })
    for _, client in ipairs(clients) do
      if client.initialized and not told[client.id] then
        told[client.id] = true
        client:stop()
      end
    end
    return #clients == 0
  end, 10)
  if not ended then
    for _, client in ipairs(vim.lsp.get_clients({ _uninitialized = true })) do
      client:stop(true)
    end
    error('the server does not end when it is told to')
  end
end

local function unheard()
  local loud = vim.tbl_filter(function(message)
    return message.level >= vim.log.levels.WARN
  end, said)
  said = {}
  if #loud > 0 then
    error('nobody expected this: ' .. vim.inspect(loud))
  end
end

local function run(name, test)
  local root = results .. '/workspaces/' .. name:gsub('%W+', '-')
  vim.fn.mkdir(root .. '/.git', 'p')
  vim.cmd.cd(root)
  vim.v.errmsg = ''
  local config = vim.lsp.config.operator_lsp
  local ok, why = xpcall(test, debug.traceback, setmetatable({ root = root }, Workspace))
  if ok then
    ok, why = pcall(unheard)
  end
  if ok and vim.v.errmsg ~= '' then
    ok, why = false, 'an error was shown: ' .. vim.v.errmsg
  end
  restore(config)
  said = {}
  vim.cmd('silent! tabonly! | silent! only! | silent! %bwipeout!')
  local ended, not_ended = pcall(M.end_servers)
  said = {}
  return ok and ended, not ok and why or not_ended
end

--- Runs everything, or the tests that have `OPERATOR_ONLY` in their names, and ends the editor.
function M.main()
  local passed, failed = 0, 0
  local folder = vim.env.OPERATOR_REPOSITORY .. '/tests/editors/neovim/tests'
  local ok, why = pcall(function()
    for file in vim.spairs(vim.iter(vim.fs.dir(folder)):fold({}, function(all, name)
      all[name] = true
      return all
    end)) do
      for _, test in ipairs(dofile(folder .. '/' .. file)) do
        if test[1]:find(vim.env.OPERATOR_ONLY or '', 1, true) then
          local fine, reason = run(test[1], test[2])
          passed, failed = passed + (fine and 1 or 0), failed + (fine and 0 or 1)
          io.stdout:write(fine and 'ok      ' or 'FAILED  ', test[1], '\n')
          if not fine then
            io.stdout:write('  ', (tostring(reason):gsub('\n', '\n  ')), '\n')
          end
        end
      end
    end
  end)
  if not ok then
    failed = failed + 1
    io.stdout:write('FAILED  the tests themselves: ', tostring(why), '\n')
  end
  io.stdout:write(('%d passed, %d failed\n'):format(passed, failed))
  io.stdout:flush()
  vim.cmd(failed == 0 and 'qall!' or 'cquit!')
end

return M

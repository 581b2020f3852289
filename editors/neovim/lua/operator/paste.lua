-- `:Operator paste`: the model's answer goes into a chat that is not a file, one for each workspace.
local say = require('operator.say')
local server = require('operator.server')

local M = {}

-- The chat of a workspace. Its name is one that the server takes for that of a chat.
local function chat(root)
  local name = ('operator://%s%s/chat.md'):format(vim.startswith(root, '/') and '' or '/', root)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and vim.api.nvim_buf_get_name(bufnr) == name then
      return bufnr
    end
  end
  local bufnr = vim.api.nvim_create_buf(true, true)
  vim.b[bufnr].operator_chat = true
  vim.api.nvim_buf_set_name(bufnr, name)
  vim.bo[bufnr].bufhidden = 'hide'
  vim.bo[bufnr].filetype = 'markdown'
  return bufnr
end

-- The lines of what was copied of a chat since the last answer: as in the model's chat it comes before the next one,
-- which then corrects what it asks for again.
local function replies(bufnr, before)
  local copied = vim.b[bufnr].operator_copied or ''
  vim.b[bufnr].operator_copied = nil
  if copied == '' or table.concat(before, '\n'):find(vim.trim(copied), 1, true) then
    return {}
  end
  return vim.split('\n' .. copied:gsub('\n+$', ''), '\n', { plain = true })
end

-- Adds an answer, unless it is the last one already, and gives its first line, counted from 0.
local function add(bufnr, answer)
  local lines = vim.split(vim.trim(answer) == '' and '' or answer:gsub('\r\n', '\n'):gsub('\n+$', ''), '\n', { plain = true })
  local before = vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)
  if #before == 1 and before[1] == '' then
    vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
    return 0
  end
  local begins = #before - #lines
  if begins >= 0 and vim.deep_equal(vim.list_slice(before, begins + 1), lines) then
    return begins
  end
  -- A line that is a marker in no block language.
  local separator = { '', ('──────── %s ────────'):format(os.date('%H:%M')), '' }
  local between = vim.list_extend(replies(bufnr, before), separator)
  vim.api.nvim_buf_set_lines(bufnr, -1, -1, false, vim.list_extend(vim.list_extend({}, between), lines))
  return #before + #between
end

-- Shows the chat in a window of this tab, from a line on.
local function show(bufnr, line)
  local window = vim.fn.bufwinid(bufnr)
  if window ~= -1 then
    vim.api.nvim_set_current_win(window)
  else
    vim.cmd.sbuffer(bufnr)
  end
  vim.api.nvim_win_set_cursor(0, { line + 1, 0 })
  vim.cmd('normal! zt')
end

-- Says why an answer has no block: what the server has seen instead.
local function nothing_found(client, bufnr, line)
  local params = { textDocument = { uri = vim.uri_from_bufnr(bufnr) } }
  server.ask(client, bufnr, 'textDocument/diagnostic', params, function(report)
    local seen = vim.iter(report.items or {}):find(function(item)
      return item.range.start.line >= line
    end)
    local size = say.counted(vim.api.nvim_buf_line_count(bufnr) - line, 'line')
    say.warn(seen and 'no edit block was found: ' .. seen.message or ('no edit block is in the %s that you pasted'):format(size))
  end)
end

-- Opens the inbox at the first change of the answer, else at its first block that is not decided on, and says
-- what was found.
local function review(client, bufnr, line)
  server.blocks(client, bufnr, function(blocks)
    local found = vim.tbl_filter(function(block)
      return block.range.start.line >= line
    end, blocks)
    if #found == 0 then
      return nothing_found(client, bufnr, line)
    end
    local status = require('operator.status')
    local first = vim.iter(found):find(status.has_preview) or vim.iter(found):find(status.is_open) or found[1]
    require('operator.inbox').show(client, bufnr, blocks, first.index + 1)
    say.info(('the answer has %s: %s'):format(say.counted(#found, 'block'), status.counts(found)))
  end)
end

--- Puts the text of a register, or the clipboard, into the chat of the workspace.
function M.paste(register)
  local answer, name = require('operator.register').get(register)
  if vim.trim(answer) == '' then
    return say.fail(("register %s holds no text; copy the model's answer first"):format(name))
  end
  local bufnr = chat((require('operator.root').of_directory()))
  local line = add(bufnr, answer)
  show(bufnr, line)
  require('operator.chats').attach(bufnr, function(client)
    review(client, bufnr, line)
  end)
end

return M

-- `:Operator`: its subcommands, and how they are completed.
local say = require('operator.say')
local server = require('operator.server')

local M = {}

local function registers()
  return { '"', '+', '*', 'a', 'b', 'c' }
end

-- A subcommand on a transcript.
local function on_transcript(does, complete)
  return {
    for_transcripts = true,
    complete = complete,
    run = function(bufnr, argument)
      local client = server.of_transcript(bufnr)
      if client then
        does(client, bufnr, argument)
      end
    end,
  }
end

-- A subcommand on the block that the cursor is in.
local function on_block(does)
  return on_transcript(function(client, bufnr)
    server.block_at_cursor(client, bufnr, function(block)
      does(client, bufnr, block)
    end)
  end)
end

-- A subcommand on the workspace, from any buffer.
local function on_workspace(does, complete)
  return {
    complete = complete,
    run = function(bufnr, argument)
      local client = server.any(bufnr)
      if client then
        does(client, bufnr, argument)
      end
    end,
  }
end

local subcommands = {
  inbox = on_transcript(function(client, bufnr)
    require('operator.inbox').open(client, bufnr)
  end),
  preview = on_block(function(client, bufnr, block)
    require('operator.preview').open(client, bufnr, block)
  end),
  apply = on_block(function(client, bufnr, block)
    require('operator.change').apply(client, bufnr, block, {})
  end),
  apply_and_reply = on_block(function(client, bufnr, block)
    require('operator.change').apply(client, bufnr, block, { reply = true })
  end),
  apply_all = on_transcript(function(client, bufnr)
    require('operator.change').apply_all(client, bufnr)
  end),
  reject = on_block(function(client, bufnr, block)
    require('operator.change').reject(client, bufnr, block)
  end),
  replies = on_transcript(function(client, bufnr, register)
    require('operator.replies').collect(client, bufnr, register)
  end, registers),
  problems = on_transcript(function(client, bufnr, register)
    require('operator.problems').collect(client, bufnr, register)
  end, registers),
  undo = on_workspace(function(client, bufnr, id)
    if id and not id:match('^%d+$') then
      return say.fail(('`%s` is not the number of an operation; :Operator log lists them'):format(id))
    end
    require('operator.change').undo(client, bufnr, tonumber(id))
  end, function()
    local bufnr = vim.api.nvim_get_current_buf()
    local client = server.only(bufnr)
    return client and require('operator.log').ids(client, bufnr) or {}
  end),
  redo = on_workspace(function(client, bufnr)
    require('operator.change').redo(client, bufnr)
  end),
  scan = on_workspace(function(client, bufnr)
    require('operator.change').scan(client, bufnr)
  end),
  log = on_workspace(function(client, bufnr)
    require('operator.log').open(client, bufnr)
  end),
  spec = {
    complete = function()
      return require('operator.spec').names()
    end,
    run = function(_, name)
      require('operator.spec').open(name)
    end,
  },
  restart = {
    run = function()
      require('operator.restart').restart()
    end,
  },
  server_log = {
    run = function()
      require('operator.restart').log()
    end,
  },
}

local function names(anywhere)
  local found = vim.tbl_filter(function(name)
    return not anywhere or not subcommands[name].for_transcripts
  end, vim.tbl_keys(subcommands))
  table.sort(found)
  return found
end

-- Where a list was opened from it, the location list stands for its transcript.
local function transcript()
  local info = vim.fn.getwininfo(vim.api.nvim_get_current_win())[1]
  local list = info.loclist == 1 and vim.fn.getloclist(0, { context = 0, filewinid = 0, idx = 0 })
  if not list or type(list.context) ~= 'table' or not list.context.operator or list.filewinid == 0 then
    return vim.api.nvim_get_current_buf()
  end
  local item = vim.fn.getloclist(0)[vim.api.nvim_win_get_cursor(0)[1]]
  vim.api.nvim_set_current_win(list.filewinid)
  if item then
    vim.api.nvim_win_set_cursor(list.filewinid, { item.lnum, math.max(item.col - 1, 0) })
  end
  return list.context.operator
end

--- Runs `:Operator …`.
function M.run(arguments)
  local name, argument = arguments.fargs[1], arguments.fargs[2]
  if not name then
    return say.info('say what to do: :Operator ' .. table.concat(names(), ' | ') .. ' (:help operator)')
  end
  local subcommand = subcommands[name]
  if not subcommand then
    return say.fail(('unknown subcommand `%s`; use one of: %s'):format(name, table.concat(names(), ', ')))
  end
  if #arguments.fargs > (subcommand.complete and 2 or 1) then
    local most = subcommand.complete and 'one argument' or 'no argument'
    return say.fail(('`:Operator %s` takes %s'):format(name, most))
  end
  subcommand.run(transcript(), argument)
end

local function complete(lead, line, anywhere)
  local words = vim.split(vim.trim(line:gsub('^.-Operator', '', 1)), '%s+', { trimempty = true })
  local candidates = names(anywhere)
  if #words > 1 or (#words == 1 and lead == '') then
    local subcommand = subcommands[words[1]]
    candidates = subcommand and subcommand.complete and subcommand.complete() or {}
  end
  return vim.tbl_filter(function(candidate)
    return vim.startswith(candidate, lead)
  end, candidates)
end

local function options(anywhere)
  return {
    nargs = '*',
    desc = anywhere and 'Edit blocks: log, undo, redo, spec, restart' or 'Edit blocks: inbox, preview, apply and more',
    complete = function(lead, line)
      return complete(lead, line, anywhere)
    end,
  }
end

--- Makes `:Operator` for the whole editor: what can be done anywhere.
function M.create()
  vim.api.nvim_create_user_command('Operator', M.run, options(true))
end

--- Makes `:Operator` for one buffer: everything.
function M.create_in(bufnr)
  vim.api.nvim_buf_create_user_command(bufnr, 'Operator', M.run, options(false))
end

--- Takes it away from a buffer again.
function M.remove_from(bufnr)
  pcall(vim.api.nvim_buf_del_user_command, bufnr, 'Operator')
end

return M

-- `:Operator`: its subcommands, and how they are completed.
local say = require('operator.say')
local subcommands = require('operator.subcommands')

local M = {}

local function names(anywhere)
  local found = vim.tbl_filter(function(name)
    return not anywhere or not subcommands[name].for_transcripts
  end, vim.tbl_keys(subcommands))
  table.sort(found)
  return found
end

-- In a preview, its transcript; in the inbox, too, with the cursor on the block of the list's line.
local function transcript()
  if vim.b.operator_transcript then
    return vim.b.operator_transcript
  end
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

-- One line for each subcommand: how it is written and what it does.
local function usage()
  local lines = vim.tbl_map(function(name)
    local subcommand = subcommands[name]
    local written = name .. (subcommand.usage and ' ' .. subcommand.usage or '')
    return ('  :Operator %-18s %s'):format(written, subcommand.desc)
  end, names())
  table.insert(lines, 1, 'edit blocks of chats; the manual is :help operator-lsp')
  return table.concat(lines, '\n')
end

-- Why a subcommand cannot be run as it is written; nothing where it can.
local function mistake(name, arguments)
  local subcommand = subcommands[name]
  if not subcommand then
    return ('unknown subcommand `%s`; use one of: %s'):format(name, table.concat(names(), ', '))
  end
  if not subcommand.takes_many and #arguments.fargs > (subcommand.usage and 2 or 1) then
    return ('`:Operator %s` takes %s'):format(name, subcommand.usage and 'one argument' or 'no argument')
  end
  if arguments.bang and not subcommand.has_bang then
    return ('`:Operator %s` takes no !'):format(name)
  end
end

--- Runs `:Operator …`.
function M.run(arguments)
  local name = arguments.fargs[1]
  if not name then
    return say.info(usage())
  end
  local why = mistake(name, arguments)
  if why then
    return say.fail(why)
  end
  subcommands[name].run({
    bufnr = transcript(),
    argument = arguments.fargs[2],
    arguments = vim.list_slice(arguments.fargs, 2),
    bang = arguments.bang,
  })
end

local function complete(lead, line, anywhere)
  local words = vim.split(vim.trim(line:gsub('^.-Operator!?', '', 1)), '%s+', { trimempty = true })
  local candidates = names(anywhere)
  if #words > 1 or (#words == 1 and lead == '') then
    local subcommand = subcommands[words[1]]
    candidates = subcommand and subcommand.complete and subcommand.complete(lead) or {}
  end
  return vim.tbl_filter(function(candidate)
    return vim.startswith(candidate, lead)
  end, candidates)
end

local function options(anywhere)
  return {
    nargs = '*',
    bang = true,
    desc = anywhere and 'Edit blocks: prompt, log, undo, redo, spec, restart' or 'Edit blocks: inbox, preview, apply and more',
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

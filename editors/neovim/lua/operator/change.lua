-- What changes files: apply, apply all, reject, undo, redo. Says what was done.
local say = require('operator.say')
local server = require('operator.server')

local M = {}

-- The buffers that are changed and not saved, with how often each was changed.
local function modified()
  local found = {}
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.bo[bufnr].modified and vim.bo[bufnr].buftype == '' then
      found[bufnr] = vim.api.nvim_buf_get_changedtick(bufnr)
    end
  end
  return found
end

-- `, not saved yet: a.txt, b.txt (:wall)`
local function unsaved(before)
  local names = {}
  for bufnr, tick in pairs(modified()) do
    if before[bufnr] ~= tick then
      table.insert(names, vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':~:.'))
    end
  end
  if #names == 0 then
    return ''
  end
  table.sort(names)
  if #names > 4 then
    return (', not saved yet: %s (:wall)'):format(say.counted(#names, 'file'))
  end
  return (', not saved yet: %s (:wall)'):format(table.concat(names, ', '))
end

local function execute(client, bufnr, command, argument, done)
  local before = modified()
  server.execute(client, bufnr, command, argument, function(result)
    if type(result) == 'table' and result.applied == false then
      return say.warn('nothing was changed')
    end
    say.info((type(done) == 'function' and done() or done) .. unsaved(before))
    require('operator.log').refresh()
  end)
end

-- Whether the user wants a block that needs a look of its own; others are applied without a question.
local function wanted(block)
  if not block.caution then
    return true
  end
  local question = ('%s needs a look: %s'):format(block.summary, block.cautionMessage)
  return vim.fn.confirm(question, '&Apply\n&Leave it', 2, 'Warning') == 1
end

--- Applies a block, inserts the reply of one that only reads, or runs a program.
function M.apply(client, bufnr, block, options)
  if not wanted(block) then
    return say.info('left ' .. block.summary)
  end
  local argument = { block = block.index, reply = options.reply or nil, version = options.version }
  local writes = block.effect == 'write'
  local done = writes and 'applied ' .. block.summary or 'inserted the reply to ' .. block.summary
  if writes and options.reply then
    done = done .. ' and inserted the reply'
  end
  execute(client, bufnr, 'operator.apply', argument, done)
end

--- Applies everything that can be applied, as one edit.
function M.apply_all(client, bufnr)
  execute(client, bufnr, 'operator.applyAll', {}, function()
    return 'applied ' .. (require('operator.edit').last or 'everything that can be applied')
  end)
end

--- Inserts a reply that says that the user refused.
function M.reject(client, bufnr, block)
  execute(client, bufnr, 'operator.reject', { block = block.index }, 'rejected ' .. block.summary)
end

-- Undoes or redoes, as the server finds it possible.
local function move(client, bufnr, command, argument, done)
  local before = modified()
  server.run(client, bufnr, command, argument, function(result)
    if type(result) == 'table' and result.applied == false then
      return say.warn('nothing was changed')
    end
    say.info(done .. unsaved(before))
    require('operator.log').refresh()
  end)
end

--- Undoes the operation with this number, or the last one.
function M.undo(client, bufnr, id)
  local done = id and ('undid operation %d'):format(id) or 'undid the last apply'
  move(client, bufnr, 'operator.undo', { id = id }, done)
end

--- Has a buffer searched as a chat is searched.
function M.scan(client, bufnr)
  server.run(client, bufnr, 'operator.scan', {}, function()
    say.info('this buffer is searched for all kinds of blocks now')
  end)
end

--- Makes what was undone last again.
function M.redo(client, bufnr)
  move(client, bufnr, 'operator.redo', {}, 'redid what was undone last')
end

return M

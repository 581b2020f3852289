-- What changes files: apply, apply all, reject, undo, redo. Says what was done.
local saving = require('operator.saving')
local say = require('operator.say')
local server = require('operator.server')

local M = {}

-- Has the server change something by one of the ways to ask it, saves the files, and says what was done.
local function change(ask, client, bufnr, command, argument, done, after)
  local before = saving.modified()
  ask(client, bufnr, command, argument, function(result)
    if type(result) == 'table' and result.applied == false then
      return say.warn('nothing was changed')
    end
    local unsaved = saving.save(client, before)
    say.info((type(done) == 'function' and done(result) or done) .. (unsaved and ', ' .. unsaved or ''))
    require('operator.log').refresh()
    if after then
      after()
    end
  end)
end

local function execute(client, bufnr, command, argument, done, after)
  change(server.execute, client, bufnr, command, argument, done, function()
    require('operator.reply').copy_at_end(client, bufnr)
    if after then
      after()
    end
  end)
end

--- A code action has changed what is not in `before`: the rest of what follows an apply.
function M.acted(client, bufnr, before)
  local unsaved = saving.save(client, before)
  if unsaved then
    say.info(unsaved)
  end
  require('operator.reply').copy_at_end(client, bufnr)
end

-- Whether the user wants a block that needs a look of its own; others are applied without a question.
local function wanted(block)
  if not block.caution then
    return true
  end
  local question = ('%s needs a look: %s'):format(block.summary, block.cautionMessage)
  return vim.fn.confirm(question, '&Apply\n&Leave it', 2, 'Warning') == 1
end

--- Applies a block, inserts the reply of one that only reads, or runs a program. `after` is called once that is done.
function M.apply(client, bufnr, block, options, after)
  if not wanted(block) then
    return say.info('left ' .. block.summary)
  end
  -- What was shown in a preview is applied as it was shown, or not at all.
  local shown = options.shown or {}
  local argument = { block = block.index, version = shown.version, digest = shown.digest, hunks = options.hunks }
  argument.reply = options.reply or nil
  local writes = block.effect == 'write'
  local done = writes and 'applied ' .. block.summary or 'inserted the reply to ' .. block.summary
  if writes and options.reply then
    done = done .. ' and inserted the reply'
  end
  execute(client, bufnr, 'operator.apply', argument, done, after)
end

--- Applies everything that can be applied, as one edit.
function M.apply_all(client, bufnr)
  execute(client, bufnr, 'operator.applyAll', {}, function(result)
    if result.changes == 0 then
      return 'nothing had to be changed; the reply has the answers'
    end
    return ('applied %s in %s'):format(say.counted(result.changes, 'change'), say.counted(result.files, 'file'))
  end)
end

--- Inserts a reply that says that the user refused. `after` is called once that is done.
function M.reject(client, bufnr, block, after)
  execute(client, bufnr, 'operator.reject', { block = block.index }, 'rejected ' .. block.summary, after)
end

--- Undoes the operation with this number, or the last one.
function M.undo(client, bufnr, id)
  local done = id and ('undid operation %d'):format(id) or 'undid the last apply'
  change(server.run, client, bufnr, 'operator.undo', { id = id }, done)
end

--- Has a buffer searched as a chat is searched.
function M.scan(client, bufnr)
  server.run(client, bufnr, 'operator.scan', {}, function()
    say.info('this buffer is searched for all kinds of blocks now')
  end)
end

--- Makes what was undone last again.
function M.redo(client, bufnr)
  change(server.run, client, bufnr, 'operator.redo', {}, 'redid what was undone last')
end

return M

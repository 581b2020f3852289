-- The reply to the model, in a register: one text, which the server writes.
local say = require('operator.say')
local server = require('operator.server')

local M = {}

-- How many blocks would change something and are not decided on.
local function count_waiting(blocks)
  return #vim.tbl_filter(function(block)
    return block.status == 'ready' and (block.effect == 'write' or block.effect == 'exec')
  end, blocks)
end

local function in_words(waiting)
  return waiting > 0 and ('; %s %s for you'):format(say.counted(waiting, 'block'), waiting == 1 and 'waits' or 'wait') or ''
end

-- Notes what was copied of the chat that answers are pasted into.
local function note(bufnr, text)
  local before = vim.b[bufnr].operator_copied or ''
  if vim.b[bufnr].operator_chat and not before:find(text, 1, true) then
    vim.b[bufnr].operator_copied = before .. text
  end
end

--- Copies what the model was not told yet, or everything. Options: `register` and `all`.
function M.copy(client, bufnr, options)
  server.blocks(client, bufnr, function(blocks)
    local waiting = in_words(count_waiting(blocks))
    server.run(client, bufnr, 'operator.reply', { all = options.all or nil }, function(text)
      if text == '' then
        local what = options.all and 'nothing to tell the model' or 'nothing new to tell the model; `:Operator! reply` copies all'
        return say.info(what .. waiting)
      end
      local where = require('operator.register').put(text, options.register)
      if where then
        note(bufnr, text)
        say.info(('the reply is in register %s%s'):format(where, waiting))
      end
    end)
  end)
end

--- Copies the reply once no block waits any more, if the settings say so: a part would take the place of the rest.
function M.copy_at_end(client, bufnr)
  if not require('operator.settings').get(client, 'copyReplyAfterApply', false) then
    return
  end
  server.blocks(client, bufnr, function(blocks)
    if count_waiting(blocks) == 0 then
      M.copy(client, bufnr, {})
    end
  end)
end

return M

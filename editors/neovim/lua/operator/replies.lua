-- The replies for the model, in a register.
local say = require('operator.say')
local server = require('operator.server')

local M = {}

--- Puts a text where the user asked for it, or where it can be pasted from; gives the registers' names.
function M.put(text, register)
  local registers = register and { register } or { '"' }
  if not register and vim.fn.has('clipboard') == 1 then
    table.insert(registers, '+')
  end
  for _, name in ipairs(registers) do
    local ok, err = pcall(vim.fn.setreg, name, text, 'V')
    if not ok then
      say.fail(('the register %s does not take it: %s'):format(name, err))
      return
    end
  end
  return table.concat(registers, ' and ')
end

-- Blocks that would change something and have not been decided on: nothing can be told of them.
local function is_open(block)
  return block.status == 'ready' and (block.effect == 'write' or block.effect == 'exec')
end

local function wanted(blocks)
  local asked, left_open = {}, 0
  for _, block in ipairs(blocks) do
    if is_open(block) then
      left_open = left_open + 1
    elseif block.status ~= 'superseded' then
      if block.repliesWith then
        asked = vim.tbl_filter(function(other)
          return other.repliesWith ~= block.repliesWith
        end, asked)
      end
      table.insert(asked, block)
    end
  end
  return asked, left_open
end

--- Collects what the model is to be told of all blocks that something is known of.
function M.collect(client, bufnr, register)
  server.blocks(client, bufnr, function(blocks)
    local asked, left_open = wanted(blocks)
    local open = left_open > 0 and ('; %s not decided on yet'):format(say.counted(left_open, 'block')) or ''
    if #asked == 0 then
      return say.warn('nothing to reply to' .. open)
    end
    local replies, version = {}, vim.lsp.util.buf_versions[bufnr]
    local function next_one(index)
      local block = asked[index]
      if not block then
        local where = M.put(table.concat(replies), register)
        if where then
          say.info(('%s in register %s%s'):format(say.counted(#asked, 'reply'):gsub('replys', 'replies'), where, open))
        end
        return
      end
      local argument = { block = block.index, version = version }
      server.execute(client, bufnr, 'operator.reply', argument, function(reply)
        table.insert(replies, reply:sub(-1) == '\n' and reply or reply .. '\n')
        next_one(index + 1)
      end)
    end
    next_one(1)
  end)
end

return M

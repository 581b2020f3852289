-- Texts to and from registers, where the user pastes and copies.
local M = {}

--- The registers that are completed.
M.names = { '"', '+', '*', 'a', 'b', 'c' }

--- Puts a text where the user asked for it, or where it can be pasted from; gives the registers' names.
function M.put(text, register)
  local registers = register and { register } or { '"' }
  if not register and vim.fn.has('clipboard') == 1 then
    table.insert(registers, '+')
  end
  for _, name in ipairs(registers) do
    local ok, err = pcall(vim.fn.setreg, name, text, 'V')
    if not ok then
      require('operator.say').fail(('the register %s does not take it: %s'):format(name, err))
      return
    end
  end
  return table.concat(registers, ' and ')
end

--- The text of a register, else of the clipboard, or of the unnamed register where there is none; and its name.
function M.get(register)
  local name = register or (vim.fn.has('clipboard') == 1 and '+' or '"')
  return vim.fn.getreg(name), name
end

return M

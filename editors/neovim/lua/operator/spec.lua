-- The texts that teach a model to write blocks, printed by the program itself.
local say = require('operator.say')

local M = {}

local function program()
  local config = vim.lsp.config.operator_lsp
  local cmd = config and config.cmd
  return type(cmd) == 'table' and cmd[1] or 'operator-lsp'
end

--- What the program prints with these arguments, or nothing and why. It exits with 1 where it has done its work in part.
function M.run(arguments)
  local command = vim.list_extend({ program() }, arguments)
  local ok, result = pcall(function()
    return vim.system(command, { text = true, timeout = 5000 }):wait()
  end)
  if not ok then
    return nil, ('`%s` cannot be run; see :checkhealth operator'):format(command[1])
  elseif result.code > 1 or result.stdout == '' then
    return nil, vim.trim(result.stderr)
  end
  return result.stdout
end

--- The version line of the program, or nothing and why.
function M.version()
  return M.run({ '--version' })
end

--- What there is a specification of.
function M.names()
  local names = {}
  for name in (M.run({ 'spec', '--list' }) or ''):gmatch('([^\t\n]+)\t[^\n]*') do
    table.insert(names, name)
  end
  return names
end

--- Shows one in a window of its own, and puts it where it can be pasted from.
function M.open(name)
  local text, why = M.run(name and { 'spec', name } or { 'spec' })
  if not text then
    return say.fail(why)
  end
  local where = require('operator.register').put(text)
  if where then
    say.info(('the specification of %s is in register %s'):format(name or 'operator', where))
  end
  vim.cmd.new()
  local bufnr = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, vim.split(vim.trim(text), '\n', { plain = true }))
  vim.bo[bufnr].buftype = 'nofile'
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.bo[bufnr].swapfile = false
  vim.bo[bufnr].filetype = 'markdown'
  vim.bo[bufnr].modifiable = false
  pcall(vim.api.nvim_buf_set_name, bufnr, ('operator-spec://%d/%s'):format(bufnr, name or 'operator'))
end

return M

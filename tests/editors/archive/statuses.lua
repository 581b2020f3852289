-- Waits for the statuses beside the blocks of the example, and ends the editor: well if they are right.
-- Two blocks are about a file that the one before them moves.
local blocked = { [10] = true, [14] = true }
local expected = {}
for index = 1, 14 do
  expected[index] = blocked[index] and 'blocked' or 'ready'
end

local function words()
  local namespace = vim.api.nvim_get_namespaces()['operator.status']
  local marks = namespace and vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true }) or {}
  return vim.tbl_map(function(mark)
    return vim.trim(mark[4].virt_text[1][1]):match('^%a+')
  end, marks)
end

local ok = vim.wait(30000, function()
  return vim.deep_equal(words(), expected)
end, 20)
print(vim.inspect(words()))
vim.cmd(ok and 'qall!' or 'cquit!')

-- From one block to the next, in the transcript.
local M = {}

-- The block that is so many on from a line, in a circle; nothing where there is none.
local function from(blocks, line, by)
  local before, here = 0, 0
  for _, block in ipairs(blocks) do
    before = before + (block.range.start.line < line and 1 or 0)
    here = here + (block.range.start.line == line and 1 or 0)
  end
  local place = by > 0 and before + here + by or before + 1 + by
  return blocks[(place - 1) % math.max(#blocks, 1) + 1]
end

--- Goes to the next block that is not decided on, or to the previous one where `by` is -1.
function M.go(client, bufnr, by)
  require('operator.server').blocks(client, bufnr, function(blocks)
    local open = vim.tbl_filter(require('operator.status').is_open, blocks)
    local block = from(open, vim.api.nvim_win_get_cursor(0)[1] - 1, by)
    if not block then
      return require('operator.say').info('no block is left to decide on')
    end
    vim.cmd("normal! m'")
    vim.api.nvim_win_set_cursor(0, { block.range.start.line + 1, 0 })
  end)
end

return M

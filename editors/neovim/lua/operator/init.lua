-- What a configuration may call.
local M = {}

--- How many blocks of a buffer wait for a decision: `3 ready, 1 stale`, or an empty text. Without a number it
--- is the current buffer, which is that of the window where this is in 'statusline'.
function M.statusline(bufnr)
  return require('operator.status').line(bufnr or vim.api.nvim_get_current_buf())
end

return M

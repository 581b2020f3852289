-- What the user is told, always in the same form.
local M = {}

function M.info(text)
  vim.notify('operator: ' .. text, vim.log.levels.INFO)
end

function M.warn(text)
  vim.notify('operator: ' .. text, vim.log.levels.WARN)
end

function M.fail(text)
  vim.notify('operator: ' .. text, vim.log.levels.ERROR)
end

--- The same warning is shown once in a session.
function M.once(text)
  vim.notify_once('operator: ' .. text, vim.log.levels.WARN)
end

--- A number and what it counts: `1 block`, `3 blocks`.
function M.counted(count, what)
  return ('%d %s%s'):format(count, what, count == 1 and '' or 's')
end

return M

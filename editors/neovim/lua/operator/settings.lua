-- The settings that this plugin reads itself; they are given where those of the server are.
local M = {}

--- The value of a setting of the section `operator`.
function M.get(client, name, default)
  local later = vim.tbl_get(client.config, 'settings', 'operator') or {}
  local first = client.config.init_options or {}
  for _, given in ipairs({ later, first }) do
    if given[name] ~= nil then
      return given[name]
    end
  end
  return default
end

return M

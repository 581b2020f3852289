-- Saves what an edit of the server has changed, as far as the setting `saveAfterApply` says.
local M = {}

-- How many files are named that are not saved.
local NAMED = 4

--- The buffers that are changed and not saved, with how often each was changed: to be asked for before an edit.
function M.modified()
  local found = {}
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.bo[bufnr].modified and vim.bo[bufnr].buftype == '' then
      found[bufnr] = vim.api.nvim_buf_get_changedtick(bufnr)
    end
  end
  return found
end

-- Whether a buffer was saved. A file that is newer on disk makes Neovim ask.
local function save(bufnr)
  if vim.api.nvim_buf_get_name(bufnr) == '' then
    return false
  end
  local ok = pcall(vim.api.nvim_buf_call, bufnr, function()
    vim.cmd('silent update')
  end)
  return ok and not vim.bo[bufnr].modified
end

-- `not saved yet: a.txt, b.txt (:wall)`, or nothing where all is saved.
local function words(left)
  if #left == 0 then
    return
  end
  local names = vim.tbl_map(function(bufnr)
    return vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':~:.')
  end, left)
  table.sort(names)
  local named = #names > NAMED and require('operator.say').counted(#names, 'file') or table.concat(names, ', ')
  return ('not saved yet: %s (:wall)'):format(named)
end

--- Saves what was changed since `before`; gives the words for what is still not saved.
function M.save(client, before)
  local when = require('operator.settings').get(client, 'saveAfterApply', 'ifClean')
  local left = {}
  for bufnr, tick in pairs(M.modified()) do
    local wanted = when == 'always' or (when == 'ifClean' and not before[bufnr])
    if before[bufnr] ~= tick and not (wanted and save(bufnr)) then
      table.insert(left, bufnr)
    end
  end
  return words(left)
end

return M

-- What a block does, in few words: `edit +2 −1`, `new file, 7 lines`, `→ docs/ideas.txt`.
local say = require('operator.say')

local M = {}

-- How many characters of a search are shown.
local LONGEST_QUERY = 24

local function files(does)
  return (does.files or 1) > 1 and ' ' .. say.counted(does.files, 'file') or ''
end

local function lines(does)
  if not does.first or not does.last then
    return ''
  end
  return does.first == does.last and (' line %d'):format(does.first) or (' lines %d–%d'):format(does.first, does.last)
end

local function shortened(text)
  text = text:gsub('%s+', ' ')
  return vim.fn.strchars(text) <= LONGEST_QUERY and text or vim.fn.strcharpart(text, 0, LONGEST_QUERY - 1) .. '…'
end

local words = {
  edit = function(does)
    local many = files(does)
    if not does.added then
      return 'edit' .. many
    end
    return ('edit%s +%d −%d'):format(many ~= '' and many .. ',' or '', does.added, does.removed)
  end,
  write = function()
    return 'whole file'
  end,
  create = function(does)
    return (does.files or 1) > 1 and ('%d new files'):format(does.files) or 'new file, ' .. say.counted(does.added or 0, 'line')
  end,
  delete = function(does)
    local many = files(does)
    return many == '' and (does.removed or 0) > 0 and 'delete ' .. say.counted(does.removed, 'line') or 'delete' .. many
  end,
  move = function(does)
    return does.to and '→ ' .. does.to or 'move'
  end,
  copy = function(does)
    return does.to and 'copy → ' .. does.to or 'copy'
  end,
  makeDirectory = function()
    return 'new folder'
  end,
  read = function(does)
    return 'read' .. lines(does)
  end,
  list = function()
    return 'list'
  end,
  stat = function()
    return 'size and lines'
  end,
  search = function(does)
    return does.query and ('search “%s”'):format(shortened(does.query)) or 'search'
  end,
  run = function()
    return 'run'
  end,
}

--- The file of a block and what is done with it; the block's summary where the server does not say more.
function M.text(block)
  local does = type(block.does) == 'table' and block.does or {}
  local word = words[does.kind]
  if not word then
    return block.summary
  end
  local has_file = block.path and block.path ~= '.'
  return has_file and ('%s  %s'):format(block.path, word(does)) or word(does)
end

return M

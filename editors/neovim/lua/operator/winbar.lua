-- The line above a window: a title on its left, the longest text that fits on its right.
local M = {}

local width_of = vim.fn.strdisplaywidth

-- The end of a text, in so many columns: of a path the end says most.
local function ending(text, width)
  while width_of(text) > math.max(width, 1) do
    text = '…' .. vim.fn.strcharpart(text, vim.startswith(text, '…') and 2 or 1)
  end
  return text
end

local function escape(text)
  return (text:gsub('%%', '%%%%'))
end

--- The value of 'winbar' for a width. `asides` are texts for the right side, the longest first.
function M.text(width, title, asides)
  local room = width - 2
  local fitting = vim.iter(asides):find(function(aside)
    return width_of(title) + 2 + width_of(aside) <= room
  end)
  local aside = fitting or asides[#asides]
  return (' %s%%=%s '):format(escape(ending(title, room - width_of(aside) - 2)), escape(aside))
end

return M

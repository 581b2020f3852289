-- By which program blocks were applied and when, in words.
local M = {}

local doors = { lsp = 'editor', cli = 'command line', hand = 'by hand' }

--- A program in words, as the log lists it.
function M.door(door)
  return doors[door] or door
end

-- The seconds since 1970 of a time such as `2026-11-22T10:00:00Z`; nothing where it is none.
local function seconds(time)
  local year, month, day, hour, min, sec = time:match('^(%d+)-(%d+)-(%d+)T(%d+):(%d+):(%d+)')
  if not year then
    return
  end
  local fields = { year = year, month = month, day = day, hour = hour, min = min, sec = sec, isdst = false }
  local as_local = os.time(fields)
  return as_local + os.difftime(as_local, os.time(os.date('!*t', as_local)))
end

--- A time as short as it can be: `15:36` of today, `2026-11-21 15:36` of another day.
function M.time(time)
  local at = seconds(time)
  if not at then
    return time
  end
  local is_today = os.date('%Y-%m-%d', at) == os.date('%Y-%m-%d')
  return os.date(is_today and '%H:%M' or '%Y-%m-%d %H:%M', at)
end

--- A transcript for people: the name of its file, or what it is where it has none.
function M.transcript(transcript)
  return vim.startswith(transcript, 'stdin:') and 'standard input' or vim.fs.basename(transcript)
end

--- Who applied a block and when, or why there is nothing to apply; nothing for any other.
function M.applied(block, bufnr)
  if block.status == 'satisfied' then
    return 'the file already has this content'
  end
  local by = block.appliedBy
  if block.status ~= 'applied' or type(by) ~= 'table' then
    return
  end
  local parts = {}
  table.insert(parts, by.door == 'hand' and 'by hand' or 'by the ' .. M.door(by.door))
  table.insert(parts, M.time(by.time))
  if by.transcript ~= vim.api.nvim_buf_get_name(bufnr) then
    table.insert(parts, 'from ' .. M.transcript(by.transcript))
  end
  return table.concat(parts, ', ')
end

return M

-- The blocks of a transcript in a location list, which follows the transcript.
local M = {}

local kinds = { invalid = 'E', blocked = 'E', stale = 'W' }

local function items(bufnr, blocks, encoding)
  local locations = vim.tbl_map(function(block)
    return { uri = vim.uri_from_bufnr(bufnr), range = block.range }
  end, blocks)
  local found = vim.lsp.util.locations_to_items(locations, encoding)
  for index, item in ipairs(found) do
    local block = blocks[index]
    local status = require('operator.status')
    item.type = block.caution and 'W' or kinds[block.status] or 'I'
    item.text = require('operator.deed').text(block)
    item.nr = index
    item.user_data = {
      status = status.word(block),
      id = block.id,
      has_preview = status.has_preview(block),
      note = status.note(block, bufnr),
    }
  end
  return found
end

-- One line for each block: where, what has become of it, what it does, and its id.
local function lines(info)
  local list = info.quickfix == 1 and vim.fn.getqflist({ id = info.id, items = 1 })
    or vim.fn.getloclist(info.winid, { id = info.id, items = 1 })
  local shown = {}
  for index = info.start_idx, info.end_idx do
    local item = list.items[index]
    local data = type(item.user_data) == 'table' and item.user_data or {}
    local line = ('%5d  %-10s %s'):format(item.lnum, data.status or '', item.text)
    if data.id then
      line = line .. '  [' .. data.id .. ']'
    end
    if data.note then
      line = line .. '  ' .. data.note
    end
    table.insert(shown, line)
  end
  return shown
end

local function title(bufnr, blocks)
  local name = vim.fs.basename(vim.api.nvim_buf_get_name(bufnr))
  return ('Blocks of %s: %s'):format(name, require('operator.status').counts(blocks))
end

local function color()
  for status, highlight in pairs(require('operator.status').highlights) do
    vim.fn.matchadd(highlight, [[^\s*\d\+\s\+\zs]] .. status .. [[\>]])
  end
end

local function set(window, bufnr, blocks, encoding, action, extra)
  vim.fn.setloclist(window, {}, action, vim.tbl_extend('force', {
    title = title(bufnr, blocks),
    items = items(bufnr, blocks, encoding),
    context = { operator = bufnr },
    quickfixtextfunc = lines,
  }, extra or {}))
end

-- Goes to the block of the cursor's line, as the key does in every list.
local function jump()
  vim.cmd.normal({ args = { vim.keycode('<CR>') }, bang = true })
end

-- Shows what the block of the cursor's line would change; goes to one that changes nothing.
local function preview()
  local list = vim.fn.getloclist(0, { context = 0, items = 0 })
  local transcript = type(list.context) == 'table' and list.context.operator
  local number = vim.api.nvim_win_get_cursor(0)[1]
  local data = transcript and vim.tbl_get(list.items, number, 'user_data')
  local client = data and data.has_preview and require('operator.server').of_transcript(transcript)
  if client then
    require('operator.preview').open(client, transcript, number - 1)
  else
    jump()
  end
end

local function map()
  local keys = {
    ['<CR>'] = { preview, 'Show what the block would change' },
    o = { jump, 'Go to the block' },
    a = { '<Cmd>Operator apply<CR>', 'Apply the block' },
    r = { '<Cmd>Operator reject<CR>', 'Reject the block' },
  }
  for key, does in pairs(keys) do
    vim.keymap.set('n', key, does[1], { buffer = true, nowait = true, desc = does[2] })
  end
end

-- Opens the list of the current window.
local function open(size)
  vim.cmd(('lopen %d'):format(math.min(size, 10)))
  if not vim.w.operator_inbox then
    vim.w.operator_inbox = true
    vim.wo[0][0].wrap = false
    require('operator.command').create_in(0)
    map()
    color()
  end
end

--- Opens the list of the transcript in the current window, with the cursor on the block with a number.
function M.show(client, bufnr, blocks, number)
  local window = vim.api.nvim_get_current_win()
  if vim.api.nvim_win_get_buf(window) == bufnr then
    set(window, bufnr, blocks, client.offset_encoding, ' ', { idx = number })
    open(#blocks)
  end
end

--- Opens the list of a transcript, at the block that the cursor is in or after.
function M.open(client, bufnr)
  local window = vim.api.nvim_get_current_win()
  local line = vim.api.nvim_win_get_cursor(window)[1] - 1
  require('operator.server').blocks(client, bufnr, function(blocks)
    if #blocks == 0 then
      return require('operator.say').info('no blocks in this transcript')
    end
    local current = 1
    for index, block in ipairs(blocks) do
      if block.range.start.line <= line then
        current = index
      end
    end
    if vim.api.nvim_win_is_valid(window) then
      vim.api.nvim_set_current_win(window)
      M.show(client, bufnr, blocks, current)
    end
  end)
end

--- Brings the lists of a transcript up to date.
function M.refresh(bufnr, blocks)
  local client = vim.lsp.get_clients({ name = 'operator_lsp', bufnr = bufnr })[1]
  for _, window in ipairs(client and vim.fn.win_findbuf(bufnr) or {}) do
    local list = vim.fn.getloclist(window, { context = 0, idx = 0, winid = 0 })
    if type(list.context) == 'table' and list.context.operator == bufnr then
      local idx = math.max(1, math.min(list.idx, #blocks))
      -- Neovim would put the cursor on the entry that was gone to last.
      local cursor = list.winid ~= 0 and vim.api.nvim_win_get_cursor(list.winid)
      set(window, bufnr, blocks, client.offset_encoding, 'r', { idx = idx })
      if cursor and cursor[1] <= #blocks then
        vim.api.nvim_win_set_cursor(list.winid, cursor)
      end
    end
  end
end

return M

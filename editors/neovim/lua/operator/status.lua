-- The status of each block, as virtual text beside its first line.
local M = {}

local namespace = vim.api.nvim_create_namespace('operator.status')

M.highlights = {
  ready = 'OperatorReady',
  look = 'OperatorLook',
  applied = 'OperatorApplied',
  satisfied = 'OperatorSatisfied',
  stale = 'OperatorStale',
  blocked = 'OperatorBlocked',
  invalid = 'OperatorInvalid',
  rejected = 'OperatorRejected',
  superseded = 'OperatorSuperseded',
}

local links = {
  OperatorReady = 'DiagnosticHint',
  OperatorLook = 'DiagnosticWarn',
  OperatorApplied = 'DiagnosticOk',
  OperatorSatisfied = 'DiagnosticOk',
  OperatorStale = 'DiagnosticWarn',
  OperatorBlocked = 'DiagnosticError',
  OperatorInvalid = 'DiagnosticError',
  OperatorRejected = 'Comment',
  OperatorSuperseded = 'Comment',
}
for name, link in pairs(links) do
  vim.api.nvim_set_hl(0, name, { link = link, default = true })
end

-- One request for each buffer at a time: `true` while it runs, `'again'` where it is out of date by then.
local running = {}

--- How many problems prevent a block, in words; nothing where none does.
function M.problems(block)
  local kept = block.status == 'invalid' or block.status == 'blocked' or block.status == 'stale'
  return kept and block.problems > 0 and require('operator.say').counted(block.problems, 'problem') or nil
end

local done = { applied = true, satisfied = true, rejected = true, superseded = true }

--- Whether something is still to be done about a block.
function M.is_open(block)
  return not done[block.status]
end

--- Whether there is a diff to look at.
function M.has_preview(block)
  return vim.list_contains(block.offers, 'preview')
end

--- How many blocks have which status, in the order in which those occur: `3 ready, 1 stale`.
function M.counts(blocks)
  local counts, order = {}, {}
  for _, block in ipairs(blocks) do
    local status = block.caution and 'to look at' or block.status
    if not counts[status] then
      table.insert(order, status)
    end
    counts[status] = (counts[status] or 0) + 1
  end
  return table.concat(
    vim.tbl_map(function(status)
      return counts[status] .. ' ' .. status
    end, order),
    ', '
  )
end

--- How a block is called that is ready and needs a look of its own.
M.look = 'look'

--- The state of a block, in a word.
function M.word(block)
  return block.caution and M.look or block.status
end

--- What there is to say beside a block's summary: what it waits for, its problems, or who applied it.
function M.note(block, bufnr)
  if block.caution then
    return 'needs a look: ' .. block.cautionMessage
  end
  if type(block.after) == 'number' then
    return 'waits for block ' .. block.after + 1
  end
  return M.problems(block) or require('operator.who').applied(block, bufnr)
end

local function text(block, bufnr)
  local note = M.note(block, bufnr)
  if block.caution then
    return note
  end
  return block.status .. ': ' .. block.summary .. (note and ', ' .. note or '')
end

local function show(bufnr, blocks)
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
  local last = vim.api.nvim_buf_line_count(bufnr)
  for _, block in ipairs(blocks) do
    local line = block.range.start.line
    if line < last then
      vim.api.nvim_buf_set_extmark(bufnr, namespace, line, 0, {
        virt_text = { { '  ' .. text(block, bufnr), M.highlights[M.word(block)] } },
        hl_mode = 'combine',
        invalidate = true,
        undo_restore = false,
      })
    end
  end
end

-- What the status line says of each transcript.
local lines = {}

local function set_line(bufnr, line)
  if lines[bufnr] ~= line then
    lines[bufnr] = line
    vim.cmd.redrawstatus({ bang = true })
  end
end

--- How many blocks of a buffer wait for a decision, for a status line: `3 ready, 1 stale`, or an empty text.
function M.line(bufnr)
  return lines[bufnr] or ''
end

--- Takes what is shown away.
function M.clear(bufnr)
  running[bufnr] = nil
  set_line(bufnr, nil)
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
end

local function refresh(bufnr)
  local clients = vim.lsp.get_clients({ name = 'operator_lsp', bufnr = bufnr })
  local client = clients[1]
  if not client or not require('operator.attach').is_transcript(client, bufnr) then
    running[bufnr] = nil
    return
  end
  local params = { textDocument = { uri = vim.uri_from_bufnr(bufnr) } }
  local sent = client:request('operator/proposals', params, function(err, blocks)
    local again = running[bufnr] == 'again'
    running[bufnr] = nil
    if not vim.api.nvim_buf_is_valid(bufnr) then
      return
    end
    -- An error means that the text has moved on, and then there is news to come.
    if not err then
      blocks = require('operator.server').without_nulls(blocks)
      if vim.g.operator_status ~= false then
        show(bufnr, blocks)
      end
      require('operator.inbox').refresh(bufnr, blocks)
      set_line(bufnr, M.counts(vim.tbl_filter(M.is_open, blocks)))
    end
    if again then
      M.changed(bufnr)
    end
  end, bufnr)
  if not sent then
    running[bufnr] = nil
  end
end

--- The server has news of a transcript.
function M.changed(bufnr)
  if not vim.api.nvim_buf_is_loaded(bufnr) then
    return
  end
  if running[bufnr] then
    running[bufnr] = 'again'
    return
  end
  running[bufnr] = true
  vim.schedule(function()
    if vim.api.nvim_buf_is_valid(bufnr) then
      refresh(bufnr)
    else
      running[bufnr] = nil
    end
  end)
end

return M

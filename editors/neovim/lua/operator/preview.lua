-- What a block would change, as a diff in a tab of its own, from which the next one is reached.
local say = require('operator.say')
local server = require('operator.server')
local winbar = require('operator.winbar')

local M = {}

local KEYS = { 'a apply  A apply and next  r reject  ]p next  q close', 'a apply  A next  r reject  q', 'a A r ]p q' }
-- Where there are several hunks.
local PART_KEYS = { 'a apply  x leave out a change  r reject  ]p next  q close', 'a apply  x leave out  r reject  q', 'a A x u r ]p q' }

local function name_of(file)
  return vim.fn.fnamemodify(vim.uri_to_fname(file.uri), ':~:.')
end

local function scratch(text, name)
  local bufnr = vim.api.nvim_create_buf(false, true)
  -- Where every line ends in CR and LF there is no need to show it.
  local dos = text and not text:find('[^\r]\n') and not text:find('^\n')
  local lines = text and vim.split(dos and text:gsub('\r\n', '\n') or text, '\n', { plain = true }) or {}
  -- The last line's ending begins no line of its own.
  if text and lines[#lines] == '' then
    table.remove(lines)
  end
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].bufhidden = 'wipe'
  pcall(vim.api.nvim_buf_set_name, bufnr, ('operator-preview://%d/%s'):format(bufnr, name))
  return bufnr
end

-- What the two sides of the diff are.
local function titles(file)
  local name = name_of(file)
  if file.before == nil then
    return 'not there yet', name .. ' (new)'
  elseif file.after == nil then
    return name, 'deleted'
  end
  return name, 'after'
end

-- The blocks that a diff can be shown of.
local function shown(blocks)
  return vim.tbl_filter(require('operator.status').has_preview, blocks)
end

local View = {}
View.__index = View

-- The 0-based numbers of the hunks that are taken.
local function taken(hunks)
  local numbers = {}
  for number, hunk in ipairs(hunks) do
    if hunk.taken then
      table.insert(numbers, number - 1)
    end
  end
  return numbers
end

-- Where the reader is: what the block does, which of the blocks it is, and which of its files this is.
function View:places()
  local place = self.count > 1 and ('%d of %d'):format(self.place, self.count) or ''
  local file = #self.files > 1 and ('  file %d/%d ]f'):format(self.number, #self.files) or ''
  if self.part then
    file = ('%s  %d of %d changes'):format(file, #self.part, #self.hunks)
  end
  return { require('operator.deed').text(self.block) .. '  ' .. place .. file, place .. file, place }
end

function View:show_side(window, text, name, title, asides)
  local bufnr = scratch(text, name)
  vim.api.nvim_win_set_buf(window, bufnr)
  -- Colours, but nothing that a file type plugin or another language server would do.
  local language = vim.filetype.match({ filename = name }) or ''
  pcall(vim.treesitter.start, bufnr, vim.treesitter.language.get_lang(language))
  vim.bo[bufnr].syntax = vim.treesitter.highlighter.active[bufnr] and '' or language
  vim.wo[window][0].winbar = winbar.text(vim.api.nvim_win_get_width(window), title, asides)
  -- `:Operator` is about this block.
  vim.b[bufnr].operator_transcript, vim.b[bufnr].operator_block = self.bufnr, self.block.index
  vim.b[bufnr].operator_shown = self:options()
  self:map(bufnr)
  vim.api.nvim_win_call(window, function()
    vim.cmd.diffthis()
  end)
end

function View:show(number)
  self.number = (number - 1) % #self.files + 1
  local file = self.files[self.number]
  local left, right = titles(file)
  self:show_side(self.left, file.before, 'before/' .. name_of(file), left, self:places())
  self:show_side(self.right, file.after, 'after/' .. name_of(file), right, #self.hunks > 1 and PART_KEYS or KEYS)
  vim.api.nvim_set_current_win(self.right)
  vim.api.nvim_win_set_cursor(self.right, { 1, 0 })
  if file.before and file.after then
    vim.api.nvim_win_call(self.right, function()
      vim.cmd('silent! normal! ]czz')
    end)
  end
end

function View:close()
  local tab = vim.api.nvim_win_is_valid(self.right) and vim.api.nvim_win_get_tabpage(self.right)
  if not tab then
    return
  end
  vim.cmd.tabclose(vim.api.nvim_tabpage_get_number(tab))
  if vim.api.nvim_win_is_valid(self.origin) then
    vim.api.nvim_set_current_win(self.origin)
  end
end

-- The options that apply the block exactly as it is shown.
function View:options()
  return { shown = self.argument, hunks = self.part }
end

function View:apply(options, after)
  local whole = vim.tbl_extend('keep', self:options(), options)
  require('operator.change').apply(self.client, self.bufnr, self.block, whole, after)
end

-- The numbers of the taken hunks that the cursor's line is on.
function View:under_cursor()
  local uri = self.files[self.number].uri
  local is_left = vim.api.nvim_get_current_win() == self.left
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  return vim.tbl_filter(function(number)
    local hunk = self.hunks[number + 1]
    local start = is_left and hunk.line or hunk.lineAfter
    local length = is_left and hunk.removed or hunk.added
    -- A hunk without lines on this side is between two lines: both belong to it.
    local first, last = start, start + length - 1
    if length == 0 then
      first, last = start - 1, start
    end
    return hunk.uri == uri and first <= line and line <= last
  end, taken(self.hunks))
end

-- Leaves out the hunk under the cursor: what is shown is what is applied.
function View:leave_out()
  if #self.hunks == 0 then
    return say.info('the block is one change, which is applied or rejected whole')
  end
  local left = self:under_cursor()
  if #left == 0 then
    return say.info('the cursor is not on a change: ]c goes to the next one')
  end
  local rest = vim.tbl_filter(function(number)
    return not vim.tbl_contains(left, number)
  end, taken(self.hunks))
  if #rest == 0 then
    return say.info('it is the only change that is left: r rejects the block')
  end
  self:load(self.block, self.place, self.count, rest)
end

-- Shows another block of the transcript: the one that `choose` finds in those that have a diff, by the place
-- of this one among them. Closes where there is none.
function View:go(choose)
  server.blocks(self.client, self.bufnr, function(blocks)
    local all = shown(blocks)
    local before = #vim.tbl_filter(function(block)
      return block.index < self.block.index
    end, all)
    local place = choose(all, before)
    if place then
      self:load(all[place], place, #all)
    else
      self:close()
      say.info('no block is left to review: ' .. require('operator.status').counts(blocks))
    end
  end)
end

-- The next block that is ready, from this one on and then from the first.
function View:next_ready()
  self:go(function(all, before)
    for step = 1, #all do
      local place = (before + step - 1) % #all + 1
      if all[place].status == 'ready' and all[place].index ~= self.block.index then
        return place
      end
    end
  end)
end

-- The block so many places on.
function View:step(by)
  self:go(function(all, before)
    local is_there = all[before + 1] and all[before + 1].index == self.block.index
    -- Where this one has no diff any more, the next one is in its place.
    local from = (by > 0 and not is_there) and before or before + 1
    return #all > 0 and (from + by - 1) % #all + 1 or nil
  end)
end

function View:map(bufnr)
  local function map(keys, does, desc)
    vim.keymap.set('n', keys, does, { buffer = bufnr, nowait = true, desc = desc })
  end
  map('q', function()
    self:close()
  end, 'Close the preview')
  map('a', function()
    self:close()
    self:apply({})
  end, 'Apply the block')
  map('A', function()
    self:apply({}, function()
      self:next_ready()
    end)
  end, 'Apply the block and show the next one')
  map('R', function()
    self:close()
    self:apply({ reply = true })
  end, 'Apply the block and insert the reply')
  map('r', function()
    require('operator.change').reject(self.client, self.bufnr, self.block, function()
      self:next_ready()
    end)
  end, 'Reject the block and show the next one')
  if #self.hunks > 1 then
    map('x', function()
      self:leave_out()
    end, 'Leave out the change under the cursor')
    map('u', function()
      self:load(self.block, self.place, self.count)
    end, 'Show all changes again')
  end
  map(']p', function()
    self:step(1)
  end, 'Next block')
  map('[p', function()
    self:step(-1)
  end, 'Previous block')
  if #self.files > 1 then
    map(']f', function()
      self:show(self.number + 1)
    end, 'Next file')
    map('[f', function()
      self:show(self.number - 1)
    end, 'Previous file')
  end
end

function View:open()
  self.origin = vim.api.nvim_get_current_win()
  vim.cmd(('tab sbuffer %d'):format(scratch('', 'nothing')))
  self.left = vim.api.nvim_get_current_win()
  vim.cmd('rightbelow vsplit')
  self.right = vim.api.nvim_get_current_win()
end

-- Shows the diff of a block, the one at this place of so many, or of some of its hunks.
function View:load(block, place, count, part)
  local params = { textDocument = { uri = vim.uri_from_bufnr(self.bufnr) }, block = block.index, hunks = part }
  if part then
    -- The numbers are about what is shown, and about nothing else.
    params.version, params.digest = self.argument.version, self.argument.digest
  end
  server.ask(self.client, self.bufnr, 'operator/preview', params, function(preview)
    if #preview.files == 0 then
      return say.info(('%s changes no file; :Operator apply inserts its reply'):format(block.summary))
    end
    if not self.left then
      self:open()
    elseif not vim.api.nvim_win_is_valid(self.left) or not vim.api.nvim_win_is_valid(self.right) then
      return
    end
    local is_same = self.block and self.block.index == block.index
    self.block, self.files, self.hunks = block, preview.files, preview.hunks or {}
    self.argument, self.part = preview.argument, part
    self.place, self.count = place, count
    self:show(is_same and self.number or 1)
  end)
end

--- The options that apply the block of the preview in this buffer exactly as it is shown; none elsewhere.
function M.shown()
  return vim.b.operator_shown or {}
end

--- Opens the diff of the block with this index.
function M.open(client, bufnr, index)
  server.blocks(client, bufnr, function(blocks)
    local view = setmetatable({ client = client, bufnr = bufnr }, View)
    local all = shown(blocks)
    for place, block in ipairs(all) do
      if block.index == index then
        return view:load(block, place, #all)
      end
    end
    if blocks[index + 1] then
      -- The server says why there is nothing to show.
      view:load(blocks[index + 1], 1, 1)
    end
  end)
end

return M

-- What a block would change, as a diff in a tab of its own.
local say = require('operator.say')

local M = {}

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

-- What a side of the diff is, for its title.
local function titles(file)
  local name = name_of(file)
  if file.before == nil then
    return 'not there yet', name .. ' (new)'
  elseif file.after == nil then
    return name, 'deleted'
  end
  return name .. ' (now)', name .. ' (after)'
end

local function escape(text)
  return (text:gsub('%%', '%%%%'))
end

local View = {}
View.__index = View

function View:show(number)
  self.number = (number - 1) % #self.files + 1
  local file = self.files[self.number]
  local language = vim.filetype.match({ filename = vim.uri_to_fname(file.uri) }) or ''
  local left, right = titles(file)
  local where = #self.files > 1 and ('  %d/%d ]f'):format(self.number, #self.files) or ''
  local sides = {
    { self.left, file.before, 'before/', left, self.block.summary .. where },
    { self.right, file.after, 'after/', right, 'a apply  r and reply  q close' },
  }
  for _, side in ipairs(sides) do
    local window, text, prefix, title, aside = unpack(side, 1, 5)
    local bufnr = scratch(text, prefix .. name_of(file))
    vim.api.nvim_win_set_buf(window, bufnr)
    -- Colours, but nothing that a file type plugin or another language server would do.
    pcall(vim.treesitter.start, bufnr, vim.treesitter.language.get_lang(language))
    vim.bo[bufnr].syntax = vim.treesitter.highlighter.active[bufnr] and '' or language
    vim.wo[window][0].winbar = ' ' .. escape(title) .. '%=' .. escape(aside) .. ' '
    self:map(bufnr)
    vim.api.nvim_win_call(window, function()
      vim.cmd.diffthis()
    end)
  end
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

function View:apply(reply)
  self:close()
  require('operator.change').apply(self.client, self.bufnr, self.block, { reply = reply, version = self.version })
end

function View:map(bufnr)
  local function map(keys, does, desc)
    vim.keymap.set('n', keys, does, { buffer = bufnr, nowait = true, desc = desc })
  end
  map('q', function()
    self:close()
  end, 'Close the preview')
  map('a', function()
    self:apply(false)
  end, 'Apply the block')
  map('r', function()
    self:apply(true)
  end, 'Apply the block and insert the reply')
  if #self.files > 1 then
    map(']f', function()
      self:show(self.number + 1)
    end, 'Next file')
    map('[f', function()
      self:show(self.number - 1)
    end, 'Previous file')
  end
end

--- Opens the diff of a block.
function M.open(client, bufnr, block)
  local version = vim.lsp.util.buf_versions[bufnr]
  local params = { textDocument = { uri = vim.uri_from_bufnr(bufnr) }, block = block.index }
  require('operator.server').ask(client, bufnr, 'operator/preview', params, function(preview)
    if #preview.files == 0 then
      return say.info(('%s changes no file; :Operator apply inserts its reply'):format(block.summary))
    end
    local origin = vim.api.nvim_get_current_win()
    vim.cmd('tab split')
    local left = vim.api.nvim_get_current_win()
    vim.cmd('rightbelow vsplit')
    local view = setmetatable({
      client = client,
      bufnr = bufnr,
      block = block,
      version = version,
      files = preview.files,
      origin = origin,
      left = left,
      right = vim.api.nvim_get_current_win(),
    }, View)
    view:show(1)
  end)
end

return M

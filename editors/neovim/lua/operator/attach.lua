-- Which buffers the language server knows: transcripts with everything that it offers, the other
-- files of the workspace only by their text, so that changes that are not saved are not lost.
local M = {}

-- Buffers that are no transcripts, by client.
local targets = {}
-- The client that is being attached to a buffer that is not a transcript.
local attaching

local function filetypes(client)
  return client.config.filetypes or vim.lsp.config.operator_lsp.filetypes
end

--- Whether a buffer is searched for blocks.
function M.is_transcript(client, bufnr)
  local known = filetypes(client)
  return not known or vim.list_contains(known, vim.bo[bufnr].filetype)
end

local function is_target(client, bufnr)
  return targets[client.id] ~= nil and targets[client.id][bufnr] == true
end

-- Neovim asks a client by `supports_method` what it does in a buffer, and maps `K`, sets 'tagfunc' and
-- the like by the answer. In files that are no transcripts all of that belongs to others.
local function keep_quiet(client)
  local supports = client.supports_method
  client.supports_method = function(...)
    local first, second, third = ...
    local method, bufnr = first, second
    if type(first) == 'table' then
      method, bufnr = second, third
    end
    if type(bufnr) == 'table' then
      bufnr = bufnr.bufnr
    end
    local quiet = attaching == client.id or (type(bufnr) == 'number' and is_target(client, vim._resolve_bufnr(bufnr)))
    if quiet and not vim.startswith(method, 'textDocument/did') then
      return false
    end
    -- Neovim 0.12 may still pull from a server that it has told to end, and would show the refusal.
    if method == 'textDocument/diagnostic' and client:is_stopped() then
      return false
    end
    return supports(...)
  end
end

local function below(path, folder)
  return path == folder or vim.startswith(path, folder:gsub('/$', '') .. '/')
end

-- The folders that blocks may reach; none where the server has none either.
local function reaches(client, path)
  local folders = vim.list_extend({}, vim.tbl_get(client.config, 'init_options', 'allowedRoots') or {})
  vim.list_extend(folders, vim.tbl_get(client.config, 'settings', 'operator', 'allowedRoots') or {})
  if not client.root_dir then
    return true
  end
  table.insert(folders, client.root_dir)
  return vim.iter(folders):any(function(folder)
    return below(path, vim.fs.normalize(folder))
  end)
end

-- Neovim 0.11 starts these without asking what is supported; in 0.12 this would stop them everywhere.
local function stop_colours(client, bufnr)
  if vim.lsp.semantic_tokens.enable then
    return
  end
  vim.schedule(function()
    if vim.api.nvim_buf_is_valid(bufnr) then
      vim.lsp.semantic_tokens.stop(bufnr, client.id)
    end
  end)
end

local function attach_target(client, bufnr)
  if not vim.api.nvim_buf_is_loaded(bufnr) or vim.bo[bufnr].buftype ~= '' then
    return
  end
  local name = vim.api.nvim_buf_get_name(bufnr)
  if name == '' or name:match('^%a[%w+.-]+://') or vim.lsp.buf_is_attached(bufnr, client.id) then
    return
  end
  if M.is_transcript(client, bufnr) or not reaches(client, vim.fs.normalize(name)) then
    return
  end
  targets[client.id] = targets[client.id] or {}
  targets[client.id][bufnr] = true
  -- What is scheduled runs in its order: Neovim 0.12 asks what is supported in a callback of its own.
  local function set_attaching(id)
    attaching = id
    vim.schedule(function()
      attaching = id
    end)
  end
  set_attaching(client.id)
  local ok, err = pcall(vim.lsp.buf_attach_client, bufnr, client.id)
  set_attaching(nil)
  if not ok then
    require('operator.say').fail(('%s cannot be shown to the language server: %s'):format(name, err))
  end
  stop_colours(client, bufnr)
end

--- A client was attached to a buffer.
function M.attached(client, bufnr)
  if is_target(client, bufnr) then
    return
  end
  if not targets[client.id] then
    targets[client.id] = {}
    keep_quiet(client)
    require('operator.edit').guard(client)
    vim.schedule(function()
      for _, other in ipairs(vim.api.nvim_list_bufs()) do
        attach_target(client, other)
      end
    end)
  end
  require('operator.command').create_in(bufnr)
  require('operator.chats').attached(client, bufnr)
  require('operator.status').changed(bufnr)
end

--- A client was detached from a buffer.
function M.detached(client, bufnr)
  if not is_target(client, bufnr) then
    if vim.api.nvim_buf_is_valid(bufnr) then
      require('operator.command').remove_from(bufnr)
      require('operator.status').clear(bufnr)
    end
    return
  end
  targets[client.id][bufnr] = nil
  -- Whenever a server is switched on, Neovim detaches the others from the file types that they do not list.
  vim.schedule(function()
    if vim.api.nvim_buf_is_valid(bufnr) then
      M.opened(bufnr)
    end
  end)
end

--- A file was opened, or is called something else now.
function M.opened(bufnr)
  -- Later, so that the file type is known and transcripts are attached.
  vim.schedule(function()
    if not vim.api.nvim_buf_is_valid(bufnr) then
      return
    end
    for _, client in ipairs(vim.lsp.get_clients({ name = 'operator_lsp' })) do
      if targets[client.id] and not client:is_stopped() then
        attach_target(client, bufnr)
      end
    end
  end)
end

--- Says so where the server is switched on and is not there: Neovim only logs it.
function M.check_binary(bufnr)
  -- The first releases of Neovim 0.11 cannot say whether a server is switched on.
  if vim.lsp.is_enabled and not vim.lsp.is_enabled('operator_lsp') then
    return
  end
  local config = vim.lsp.config.operator_lsp
  local wanted = config and vim.list_contains(config.filetypes or {}, vim.bo[bufnr].filetype)
  if not wanted or vim.bo[bufnr].buftype ~= '' or type(config.cmd) ~= 'table' then
    return
  end
  if vim.fn.executable(config.cmd[1]) == 0 then
    require('operator.say').once(
      ('`%s` is not on the PATH or not executable, so blocks are not found. Install it, or set it: %s'):format(
        config.cmd[1],
        "vim.lsp.config('operator_lsp', { cmd = { '/full/path/operator-lsp' } })"
      )
    )
  end
end

return M

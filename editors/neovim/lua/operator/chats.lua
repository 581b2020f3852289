-- Chats that are not files: the buffers of chat plugins, and the one that answers are pasted into.
-- `vim.lsp.enable` attaches to files alone.
local M = {}

-- The file types that chat plugins have for their buffers, which hold Markdown.
local PLUGINS = { Avante = true, codecompanion = true, ['copilot-chat'] = true }

--- What the server is told that a buffer of a file type is written in.
function M.language(filetype)
  return PLUGINS[filetype] and 'markdown' or filetype
end

local function config()
  return vim.lsp.config.operator_lsp
end

-- Whether a buffer is attached to: a plugin's if its file type is in the list of the configuration, too.
local function is_chat(bufnr)
  local filetype = vim.bo[bufnr].filetype
  local is_known = PLUGINS[filetype] and vim.list_contains(config().filetypes or {}, filetype)
  return is_known or vim.b[bufnr].operator_chat == true
end

-- Whether the file of a buffer is a chat by the folder that it is in: gp.nvim writes Markdown files.
local function is_in_chat_folder(bufnr)
  local gp = package.loaded.gp
  local folder = type(gp) == 'table' and vim.tbl_get(gp, 'config', 'chat_dir')
  local function real(path)
    return vim.fs.normalize(vim.uv.fs_realpath(path) or path):gsub('/$', '')
  end
  local path = type(folder) == 'string' and real(vim.api.nvim_buf_get_name(bufnr))
  return path and vim.startswith(path, real(folder) .. '/')
end

local function start(bufnr)
  local whole = vim.deepcopy(config())
  local function on_dir(root)
    whole.root_dir = root
    vim.lsp.start(whole, { bufnr = bufnr, reuse_client = whole.reuse_client, silent = false })
  end
  if type(whole.root_dir) == 'function' then
    whole.root_dir(bufnr, on_dir)
  else
    on_dir(whole.root_dir or require('operator.root').of(bufnr))
  end
end

local function is_enabled()
  -- The first releases of Neovim 0.11 cannot say whether a server is switched on.
  return config() ~= nil and (not vim.lsp.is_enabled or vim.lsp.is_enabled('operator_lsp'))
end

--- Attaches to a chat, if that is not done, and hands over the client. Says so where the server is not switched on.
function M.attach(bufnr, done)
  local client = vim.lsp.get_clients({ name = 'operator_lsp', bufnr = bufnr })[1]
  if client then
    return done(client)
  end
  if not is_enabled() then
    return require('operator.say').fail("the language server is not switched on: vim.lsp.enable('operator_lsp')")
  end
  vim.api.nvim_create_autocmd('LspAttach', {
    buffer = bufnr,
    callback = function(event)
      local attached = vim.lsp.get_client_by_id(event.data.client_id)
      if attached and attached.name == 'operator_lsp' then
        done(attached)
        return true
      end
    end,
  })
  start(bufnr)
end

--- A buffer has its file type or its name: attaches to it if it is a plugin's chat.
function M.opened(bufnr)
  if not is_enabled() or not is_chat(bufnr) then
    return
  end
  -- Later, so that the plugin has named it.
  vim.schedule(function()
    if vim.api.nvim_buf_is_loaded(bufnr) then
      start(bufnr)
    end
  end)
end

--- A buffer gets another name: the server knows a chat by it.
function M.renaming(bufnr)
  local clients = is_enabled() and is_chat(bufnr) and vim.lsp.get_clients({ name = 'operator_lsp', bufnr = bufnr })
  for _, client in ipairs(clients or {}) do
    vim.lsp.buf_detach_client(bufnr, client.id)
  end
end

--- Attaches again to all of them, after the server was switched on.
function M.opened_all()
  vim.iter(vim.api.nvim_list_bufs()):filter(vim.api.nvim_buf_is_loaded):each(M.opened)
end

--- A client was attached to a transcript: has it searched as a chat if it is one.
function M.attached(client, bufnr)
  if is_chat(bufnr) or is_in_chat_folder(bufnr) then
    require('operator.server').run(client, bufnr, 'operator.scan', {}, function() end)
  end
end

return M

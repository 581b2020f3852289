-- The command, and what happens by itself once the language server is attached to a transcript.
if vim.g.loaded_operator then
  return
end
vim.g.loaded_operator = true

if vim.fn.has('nvim-0.11') == 0 then
  vim.notify('operator: Neovim 0.11 or newer is needed', vim.log.levels.ERROR)
  return
end

require('operator.command').create()

-- Nothing is mapped to keys: these are for the user's own maps.
for _, name in ipairs({ 'apply', 'apply_all', 'inbox', 'next', 'paste', 'preview', 'previous', 'prompt', 'reject', 'reply', 'undo' }) do
  local keys = ('<Plug>(operator-%s)'):format(name:gsub('_', '-'))
  vim.keymap.set('n', keys, ('<Cmd>Operator %s<CR>'):format(name))
end

local group = vim.api.nvim_create_augroup('operator', {})

local function on(events, callback)
  vim.api.nvim_create_autocmd(events, { group = group, callback = callback })
end

on('LspAttach', function(event)
  local client = vim.lsp.get_client_by_id(event.data.client_id)
  if client and client.name == 'operator_lsp' then
    require('operator.attach').attached(client, event.buf)
  end
end)

on('LspDetach', function(event)
  local client = vim.lsp.get_client_by_id(event.data.client_id)
  if client and client.name == 'operator_lsp' then
    require('operator.attach').detached(client, event.buf)
  end
end)

-- What is not a transcript becomes known to a server that runs, and to no other.
on({ 'BufReadPost', 'BufNewFile', 'BufFilePost', 'FileType' }, function(event)
  if next(vim.lsp.get_clients({ name = 'operator_lsp' })) then
    require('operator.attach').opened(event.buf)
  end
end)

on('FileType', function(event)
  require('operator.attach').check_binary(event.buf)
end)

on({ 'FileType', 'BufFilePost' }, function(event)
  require('operator.chats').opened(event.buf)
end)

on('BufFilePre', function(event)
  require('operator.chats').renaming(event.buf)
end)

on('DiagnosticChanged', function(event)
  if next(vim.lsp.get_clients({ name = 'operator_lsp', bufnr = event.buf })) then
    require('operator.status').changed(event.buf)
  end
end)

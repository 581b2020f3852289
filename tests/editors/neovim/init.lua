-- The settings of a user who has the plugin and nothing else.
local repository = vim.env.OPERATOR_REPOSITORY
vim.opt.runtimepath:prepend(repository .. '/editors/neovim')
package.path = repository .. '/tests/editors/neovim/?.lua;' .. package.path

vim.lsp.config('operator_lsp', { cmd = { vim.env.OPERATOR_LSP } })
vim.lsp.enable('operator_lsp')

vim.api.nvim_create_autocmd('VimEnter', {
  -- Later, since events within an event are left out.
  callback = vim.schedule_wrap(function()
    require('harness').main()
  end),
})

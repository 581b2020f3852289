-- The folder that the paths in a transcript begin in.
local M = {}

local function markers()
  return (vim.lsp.config.operator_lsp or {}).root_markers or { '.git' }
end

--- The repository of the working directory, else that directory; and which of them it is.
function M.of_directory()
  local here = vim.fs.normalize(vim.fn.getcwd())
  local repository = vim.fs.root(here, markers())
  if repository then
    return repository, 'the repository of the working directory'
  end
  return here, 'the working directory'
end

--- The repository of a buffer's file, else what `of_directory` gives.
function M.of(bufnr)
  local name = vim.api.nvim_buf_get_name(bufnr)
  local is_file = vim.bo[bufnr].buftype == '' and name ~= '' and not name:match('^%a[%w+.-]+://')
  local repository = is_file and vim.fs.root(name, markers())
  if repository then
    return repository, 'the repository of this file'
  end
  return M.of_directory()
end

--- Says which folder it is, and why.
function M.show(bufnr)
  local say = require('operator.say')
  local root, why = M.of(bufnr)
  local client = vim.lsp.get_clients({ name = 'operator_lsp', bufnr = bufnr })[1]
  local used = client and client.root_dir
  if used and used ~= root then
    root, why = used, 'the language server was started there'
  end
  say.info(('the workspace is %s (%s)'):format(vim.fn.fnamemodify(root, ':~'), why))
end

return M

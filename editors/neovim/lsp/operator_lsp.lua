-- How Neovim starts the language server; `vim.lsp.enable('operator_lsp')` switches it on.

--- The program on the PATH, else the one that came in the same archive as this plugin.
local function program()
  local here = debug.getinfo(1, 'S').source:sub(2)
  local beside = vim.fs.normalize(vim.fn.fnamemodify(here, ':p:h') .. '/../../../bin/operator-lsp')
  local bundled = vim.fn.executable('operator-lsp') == 0 and vim.fn.executable(beside) == 1
  return bundled and beside or 'operator-lsp'
end

return {
  cmd = { program() },
  -- The files that are searched for blocks. Other files of the workspace are shown to the server, too,
  -- so that it knows what is not saved yet, but nothing is asked about them.
  -- The last ones are those of chat plugins.
  filetypes = { 'markdown', 'text', 'operator', 'sham', 'Avante', 'codecompanion', 'copilot-chat' },
  get_language_id = function(_, filetype)
    return require('operator.chats').language(filetype)
  end,
  -- A file below a folder with one of these is in a repository.
  root_markers = { '.git' },
  root_dir = function(bufnr, on_dir)
    on_dir((require('operator.root').of(bufnr)))
  end,
  -- An edit is made for files as they are: nothing that was typed may be held back meanwhile.
  flags = { debounce_text_changes = 0 },
  -- Neovim 0.12 would ask about each document of an edit, and leave out those that the answer is no to.
  capabilities = { workspace = { workspaceEdit = { changeAnnotationSupport = vim.NIL } } },
  handlers = {
    ['workspace/applyEdit'] = function(...)
      return require('operator.edit').apply(...)
    end,
    ['operator/proposalsChanged'] = function(_, counts)
      require('operator.status').changed(vim.uri_to_bufnr(counts.uri))
      require('operator.log').refresh()
    end,
  },
}

-- Edits that the server asks for: made as a whole, or not at all.
local M = {}

local function name_of(bufnr)
  return vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':~:.')
end

-- Why the first edit of a document cannot be made; nothing where it can.
local function obstacle(document)
  local bufnr = vim.uri_to_bufnr(document.uri)
  if not vim.api.nvim_buf_is_loaded(bufnr) then
    if not vim.uv.fs_stat(vim.uri_to_fname(document.uri)) then
      -- It is created by the same edit.
      return
    end
    local ok, why = pcall(vim.fn.bufload, bufnr)
    if not ok and tostring(why):find('E325', 1, true) then
      return ('%s has a swap file (:help E325): open it and decide what to do with that'):format(name_of(bufnr))
    elseif not ok then
      return ('%s cannot be opened: %s'):format(name_of(bufnr), why)
    end
  end
  if not vim.bo[bufnr].modifiable then
    return ("%s cannot be changed: 'modifiable' is off"):format(name_of(bufnr))
  end
  -- Neovim 0.12 has `vim.NIL` for a version that is not stated.
  local version = tonumber(document.version) or 0
  if version > 0 and vim.lsp.util.buf_versions[bufnr] > version then
    return ('%s has changed meanwhile'):format(name_of(bufnr))
  end
end

-- Why an edit cannot be made as a whole; nothing where it can.
local function first_obstacle(edit)
  local seen = {}
  for _, change in ipairs(edit.documentChanges or {}) do
    local document = change.textDocument
    if document and not seen[document.uri] then
      seen[document.uri] = true
      local why = obstacle(document)
      if why then
        return why .. '; nothing was changed'
      end
    end
  end
end

-- The directory that a change deletes unless something is in it; nothing for any other change.
local function empty_directory(change)
  local options = type(change.options) == 'table' and change.options or {}
  if change.kind == 'delete' and options.recursive ~= true then
    local path = vim.uri_to_fname(change.uri)
    return vim.fn.isdirectory(path) == 1 and path or nil
  end
end

-- Makes an edit. Neovim itself deletes no directory without what is in it, and stops there.
local function make(edit, encoding)
  local changes = {}
  local function rest()
    if next(changes) then
      local some = vim.tbl_extend('force', edit, { documentChanges = changes })
      vim.lsp.util.apply_workspace_edit(some, encoding)
      changes = {}
    end
  end
  if not edit.documentChanges then
    return vim.lsp.util.apply_workspace_edit(edit, encoding)
  end
  for _, change in ipairs(edit.documentChanges) do
    local directory = empty_directory(change)
    if directory then
      rest()
      assert(vim.uv.fs_rmdir(directory))
    else
      table.insert(changes, change)
    end
  end
  rest()
end

--- Answers `workspace/applyEdit`. Neovim's own answer leaves out the documents that do not fit, or stops
--- at the first that cannot be opened, with the ones before it changed.
function M.apply(_, params, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  if not client then
    return { applied = false, failureReason = 'the language server is gone' }
  end
  local why = first_obstacle(params.edit)
  if why then
    return { applied = false, failureReason = why }
  end
  local ok, failure = pcall(make, params.edit, client.offset_encoding)
  return { applied = ok, failureReason = not ok and tostring(failure) or nil }
end

-- Whether a code action of this kind applies or rejects blocks; others fix the transcript.
local function is_deed(kind)
  return kind ~= nil and (vim.startswith(kind, 'refactor.rewrite.operator.') or vim.startswith(kind, 'source.operator.'))
end

--- Has code actions made as a whole, too: Neovim makes their edits by itself, once they are resolved.
function M.guard(client)
  local request = client.request
  client.request = function(self, method, params, handler, bufnr)
    local guarded = handler
    if method == 'codeAction/resolve' and handler then
      guarded = function(err, action, ...)
        local why = action and action.edit and first_obstacle(action.edit)
        if why then
          return require('operator.say').fail(why)
        end
        local before = require('operator.saving').modified()
        local result = handler(err, action, ...)
        if action and action.edit and is_deed(action.kind) then
          require('operator.change').acted(client, bufnr, before)
        end
        return result
      end
    end
    return request(self, method, params, guarded, bufnr)
  end
end

return M

-- The first message to a model: a specification with files, where it can be pasted from.
local say = require('operator.say')
local server = require('operator.server')

local M = {}

-- How many files are named that were left out.
local NAMED = 3

-- The listed and loaded buffers that show a file below the working directory.
local function open_files()
  local here = vim.fs.normalize(vim.fn.getcwd()) .. '/'
  local paths = {}
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    local name = vim.fs.normalize(vim.api.nvim_buf_get_name(bufnr))
    local is_file = vim.bo[bufnr].buflisted and vim.api.nvim_buf_is_loaded(bufnr) and vim.bo[bufnr].buftype == ''
    if is_file and vim.startswith(name, here) and vim.uv.fs_stat(name) then
      table.insert(paths, name)
    end
  end
  return paths
end

-- What the user has written, from the working directory on, with globs as the program knows them.
local function absolute(path)
  return vim.fs.normalize(vim.startswith(path, '/') and path or vim.fn.getcwd() .. '/' .. path)
end

-- The files at or below these paths that are not saved.
local function modified(paths)
  local names = {}
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    local name = vim.fs.normalize(vim.api.nvim_buf_get_name(bufnr))
    local is_asked = vim.iter(paths):any(function(path)
      return name == path or vim.startswith(name, path .. '/')
    end)
    if is_asked and vim.bo[bufnr].modified then
      table.insert(names, vim.fn.fnamemodify(name, ':.'))
    end
  end
  return names
end

-- 4213 as `4,200`: the real number depends on the model.
local function about(tokens)
  local unit = 10 ^ math.max(#tostring(tokens) - 2, 0)
  local digits = ('%d'):format(math.floor(tokens / unit + 0.5) * unit)
  return (digits:reverse():gsub('(%d%d%d)', '%1,'):reverse():gsub('^,', ''))
end

local function list(left_out)
  local named = vim.tbl_map(function(file)
    return ('%s (%s)'):format(file.path, file.reason)
  end, vim.list_slice(left_out, 1, NAMED))
  if #left_out > NAMED then
    table.insert(named, ('and %d more'):format(#left_out - NAMED))
  end
  return table.concat(named, ', ')
end

local function put(prompt)
  local where = require('operator.register').put(prompt.text)
  if where then
    local files = say.counted(#prompt.files, 'file')
    local left = #prompt.leftOut > 0 and '; left out: ' .. list(prompt.leftOut) or ''
    say.info(('prompt in register %s: %s, about %s tokens%s'):format(where, files, about(prompt.tokens), left))
  end
end

-- Without a server, which starts with a transcript, the program reads the files itself.
local function ask_program(paths)
  local unsaved = modified(paths)
  if #unsaved > 0 then
    return say.fail(('save %s first: no language server runs that knows the changes'):format(table.concat(unsaved, ', ')))
  end
  local root = require('operator.root').of_directory()
  local command = vim.list_extend({ 'prompt', '--format', 'json', '--root', root, '--' }, paths)
  local text, why = require('operator.spec').run(command)
  if not text then
    return say.fail(why)
  end
  put(vim.json.decode(text))
end

--- Puts the message with these files, or those that are open, into the registers.
function M.collect(bufnr, paths)
  paths = #paths > 0 and vim.tbl_map(absolute, paths) or open_files()
  local client = server.only(bufnr)
  if not client then
    return ask_program(paths)
  end
  local params = { command = 'operator.prompt', arguments = { { paths = paths } } }
  server.ask(client, bufnr, 'workspace/executeCommand', params, put)
end

return M

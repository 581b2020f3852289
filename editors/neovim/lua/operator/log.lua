-- What was applied in the workspace, in a window of its own, to be undone and redone from there.
local say = require('operator.say')
local server = require('operator.server')
local who = require('operator.who')

local M = {}

local namespace = vim.api.nvim_create_namespace('operator.log')
local KEYS = '<CR> opens the file, u undoes, <C-r> redoes, r refreshes, q closes'
local NOTHING = 'Nothing has been applied in this workspace. What is applied, here or by `operator-lsp apply`, '
  .. 'will be listed here and can be undone.'

-- The lists that are open, by their buffers: `{client, origin, operations}`.
local lists = {}

-- What an operation did.
local function what(operation)
  local titles = vim.tbl_map(function(block)
    return block.title
  end, operation.blocks)
  return #titles > 0 and table.concat(titles, ', ') or table.concat(operation.files, ', ')
end

-- One line for each operation: its number, when, by which program, what it did, and in which transcript.
local function lines(operations)
  local ids, times = 0, 0
  for _, operation in ipairs(operations) do
    ids = math.max(ids, #tostring(operation.id))
    times = math.max(times, #who.time(operation.time))
  end
  return vim.tbl_map(function(operation)
    return ('%' .. ids .. 'd  %-' .. times .. 's  %-12s  %s%s  [%s]'):format(
      operation.id,
      who.time(operation.time),
      who.door(operation.door),
      operation.undone and 'undone: ' or '',
      what(operation):gsub('\n', ' '),
      who.transcript(operation.transcript)
    )
  end, operations)
end

local function show(bufnr, operations)
  local list = lists[bufnr]
  list.operations = operations
  local shown = vim.list_extend({ KEYS }, #operations > 0 and lines(operations) or { NOTHING })
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, shown)
  vim.bo[bufnr].modifiable = false
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
  local function highlight(line, group)
    vim.api.nvim_buf_set_extmark(bufnr, namespace, line, 0, { end_row = line + 1, hl_group = group, hl_eol = true })
  end
  highlight(0, 'OperatorLogKeys')
  for index, operation in ipairs(operations) do
    if operation.undone then
      highlight(index, 'OperatorLogUndone')
    end
  end
end

local function ask(list, done)
  server.run(list.client, list.origin, 'operator.log', {}, function(result)
    done(result.operations)
  end)
end

--- Brings the lists that are open up to date.
function M.refresh()
  for bufnr, list in pairs(lists) do
    if not list.asked and not list.client:is_stopped() then
      list.asked = true
      -- Later, so that one request answers what has come together.
      vim.defer_fn(function()
        list.asked = false
        if lists[bufnr] then
          ask(list, function(operations)
            if lists[bufnr] then
              show(bufnr, operations)
            end
          end)
        end
      end, 50)
    end
  end
end

-- The operation in the cursor's line; says so where there is none.
local function at_cursor(list)
  local operation = list.operations[vim.api.nvim_win_get_cursor(0)[1] - 1]
  if not operation then
    say.warn('the cursor is not on an operation')
  end
  return operation
end

-- Where a file of an operation is; nothing where there is no such file.
local function path_of(list, operation, file)
  local folders = { list.client.root_dir }
  vim.list_extend(folders, vim.iter(vim.fs.parents(operation.transcript)):totable())
  local paths = vim.startswith(file, '/') and { file }
    or vim.tbl_map(function(folder)
      return vim.fs.joinpath(folder, file)
    end, folders)
  return vim.iter(paths):find(function(path)
    return vim.uv.fs_stat(path) or vim.fn.bufloaded(path) == 1
  end)
end

local function open_file(list, operation, file)
  local path = path_of(list, operation, file)
  if not path then
    return say.fail(('%s is not there: it was deleted or moved'):format(file))
  end
  -- In the window that the list was opened from, if that still shows a file.
  vim.cmd.wincmd('p')
  if vim.bo.buftype ~= '' then
    vim.cmd('aboveleft new')
  end
  vim.cmd.edit(vim.fn.fnameescape(path))
end

local function open_at_cursor(list)
  local operation = at_cursor(list)
  if not operation then
    return
  elseif #operation.files == 0 then
    return say.info('this operation changes no file')
  elseif #operation.files == 1 then
    return open_file(list, operation, operation.files[1])
  end
  vim.ui.select(operation.files, { prompt = 'Open which file?' }, function(file)
    if file then
      open_file(list, operation, file)
    end
  end)
end

local function undo_at_cursor(list)
  local operation = at_cursor(list)
  if not operation then
    return
  elseif operation.undone then
    return say.warn(('operation %d is already undone'):format(operation.id))
  end
  require('operator.change').undo(list.client, list.origin, operation.id)
end

local function map_keys(bufnr)
  local function map(key, what_it_does, does)
    vim.keymap.set('n', key, function()
      does(lists[bufnr])
    end, { buffer = bufnr, nowait = true, desc = what_it_does })
  end
  map('<CR>', 'Open the file of the operation', open_at_cursor)
  map('u', 'Undo the operation', undo_at_cursor)
  map('<C-r>', 'Redo what was undone last', function(list)
    require('operator.change').redo(list.client, list.origin)
  end)
  map('r', 'Ask for the list again', M.refresh)
  map('q', 'Close the list', function()
    vim.cmd.close()
  end)
end

local function create(client, origin, operations)
  vim.cmd(('botright %dnew'):format(math.max(2, math.min(#operations + 1, 10))))
  local bufnr = vim.api.nvim_get_current_buf()
  vim.bo[bufnr].buftype = 'nofile'
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.bo[bufnr].swapfile = false
  vim.bo[bufnr].filetype = 'operator_log'
  pcall(vim.api.nvim_buf_set_name, bufnr, 'operator-log://' .. (client.root_dir or client.id))
  vim.wo[0][0].wrap = false
  vim.wo[0][0].number = false
  vim.wo[0][0].relativenumber = false
  vim.wo[0][0].cursorline = true
  vim.api.nvim_set_hl(0, 'OperatorLogKeys', { link = 'Comment', default = true })
  vim.api.nvim_set_hl(0, 'OperatorLogUndone', { link = 'Comment', default = true })
  lists[bufnr] = { client = client, origin = origin, operations = {} }
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = bufnr,
    callback = function()
      lists[bufnr] = nil
    end,
  })
  map_keys(bufnr)
  show(bufnr, operations)
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
end

-- The list of a client that is open, and the window that shows it in this tab.
local function open_list(client)
  for bufnr, list in pairs(lists) do
    local window = vim.fn.bufwinid(bufnr)
    if list.client == client and window ~= -1 then
      return bufnr, window
    end
  end
end

--- Opens the list, or goes to it where it is open.
function M.open(client, origin)
  ask({ client = client, origin = origin }, function(operations)
    local bufnr, window = open_list(client)
    if bufnr then
      vim.api.nvim_set_current_win(window)
      return show(bufnr, operations)
    end
    create(client, origin, operations)
  end)
end

--- The numbers of what can be undone, for completion.
function M.ids(client, bufnr)
  local params = server.command(client, bufnr, 'operator.log', {})
  local answer = client:request_sync('workspace/executeCommand', params, 500, bufnr)
  local operations = vim.tbl_get(answer or {}, 'result', 'operations') or {}
  return vim
    .iter(operations)
    :filter(function(operation)
      return not operation.undone
    end)
    :map(function(operation)
      return tostring(operation.id)
    end)
    :totable()
end

return M

-- What `:Operator` can do, by name: `desc`, `usage` of its argument, `complete`, and `run`.
local server = require('operator.server')

-- A subcommand for the client that `find` gives for the buffer.
local function on(find, desc, does, more)
  return vim.tbl_extend('error', {
    desc = desc,
    run = function(call)
      local client = find(call.bufnr)
      if client then
        does(client, call.bufnr, call)
      end
    end,
  }, more or {})
end

-- A subcommand on a transcript.
local function on_transcript(desc, does, more)
  return on(server.of_transcript, desc, does, vim.tbl_extend('error', { for_transcripts = true }, more or {}))
end

-- A subcommand on the block that the cursor is in.
local function on_block(desc, does)
  return on_transcript(desc, function(client, bufnr, call)
    server.block_at_cursor(client, bufnr, function(block)
      does(client, bufnr, block, call)
    end)
  end)
end

-- A subcommand on the workspace, from any buffer.
local function on_workspace(desc, does, more)
  return on(server.any, desc, does, more)
end

local function registers()
  return require('operator.register').names
end

-- The operations that the server knows, by their numbers.
local function operations()
  local bufnr = vim.api.nvim_get_current_buf()
  local client = server.only(bufnr)
  return client and require('operator.log').ids(client, bufnr) or {}
end

local function undo(client, bufnr, call)
  local id = call.argument
  if id and not id:match('^%d+$') then
    local why = ('`%s` is not the number of an operation; :Operator log lists them'):format(id)
    return require('operator.say').fail(why)
  end
  require('operator.change').undo(client, bufnr, tonumber(id))
end

return {
  inbox = on_transcript('list the blocks', function(client, bufnr)
    require('operator.inbox').open(client, bufnr)
  end),
  preview = on_block('show what the block would change', function(client, bufnr, block)
    require('operator.preview').open(client, bufnr, block.index)
  end),
  apply = on_block('apply the block', function(client, bufnr, block)
    require('operator.change').apply(client, bufnr, block, require('operator.preview').shown())
  end),
  apply_and_reply = on_block('apply the block and insert its reply', function(client, bufnr, block)
    local shown = require('operator.preview').shown()
    require('operator.change').apply(client, bufnr, block, vim.tbl_extend('error', shown, { reply = true }))
  end),
  apply_all = on_transcript('apply all blocks that are ready', function(client, bufnr)
    require('operator.change').apply_all(client, bufnr)
  end),
  reject = on_block('reject the block', function(client, bufnr, block)
    require('operator.change').reject(client, bufnr, block)
  end),
  next = on_transcript('go to the next open block', function(client, bufnr)
    require('operator.jump').go(client, bufnr, 1)
  end),
  previous = on_transcript('go to the previous open block', function(client, bufnr)
    require('operator.jump').go(client, bufnr, -1)
  end),
  paste = {
    desc = "put the model's answer into the chat",
    usage = '[{reg}]',
    complete = registers,
    run = function(call)
      require('operator.paste').paste(call.argument)
    end,
  },
  reply = on_transcript('copy the reply to the model (! for all of it)', function(client, bufnr, call)
    require('operator.reply').copy(client, bufnr, { register = call.argument, all = call.bang })
  end, { usage = '[{reg}]', complete = registers, has_bang = true }),
  undo = on_workspace('undo the last apply, or operation {id}', undo, { usage = '[{id}]', complete = operations }),
  redo = on_workspace('redo what was undone last', function(client, bufnr)
    require('operator.change').redo(client, bufnr)
  end),
  scan = on_workspace('search this buffer as a chat', function(client, bufnr)
    require('operator.change').scan(client, bufnr)
  end),
  log = on_workspace('list what was applied', function(client, bufnr)
    require('operator.log').open(client, bufnr)
  end),
  prompt = {
    desc = 'copy the first message to a model',
    -- Each is a file, a directory or a glob.
    usage = '[{path}...]',
    takes_many = true,
    complete = function(lead)
      return vim.fn.getcompletion(lead, 'file')
    end,
    run = function(call)
      require('operator.prompt').collect(call.bufnr, call.arguments)
    end,
  },
  root = {
    desc = 'say which folder the workspace is',
    run = function(call)
      require('operator.root').show(call.bufnr)
    end,
  },
  spec = {
    desc = 'show and copy how to write blocks',
    usage = '[{name}]',
    complete = function()
      return require('operator.spec').names()
    end,
    run = function(call)
      require('operator.spec').open(call.argument)
    end,
  },
  restart = {
    desc = 'restart the language server',
    run = function()
      require('operator.restart').restart()
    end,
  },
  server_log = {
    desc = "open the log of Neovim's language servers",
    run = function()
      require('operator.restart').log()
    end,
  },
}

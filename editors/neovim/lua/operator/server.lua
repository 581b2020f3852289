-- The way to the language server: which one it is, and what is asked of it.
local say = require('operator.say')

local M = {}

--- The client that a transcript is attached to; says so where there is none.
function M.of_transcript(bufnr)
  for _, client in ipairs(vim.lsp.get_clients({ name = 'operator_lsp', bufnr = bufnr })) do
    if require('operator.attach').is_transcript(client, bufnr) then
      return client
    end
  end
  local config = vim.lsp.config.operator_lsp or {}
  local kinds = table.concat(config.filetypes or {}, ', ')
  say.fail(
    ('the server does not know this buffer as a transcript (%s): :checkhealth operator'):format(kinds)
  )
end

-- The clients of this buffer, or all where it has none.
local function near(bufnr)
  local clients = vim.lsp.get_clients({ name = 'operator_lsp', bufnr = bufnr })
  return next(clients) and clients or vim.lsp.get_clients({ name = 'operator_lsp' })
end

--- The client that `any` gives; nothing where there is none, without a word.
function M.only(bufnr)
  local clients = near(bufnr)
  return #clients == 1 and clients[1] or nil
end

--- The client of this buffer, or the only one that runs; says so where there is none.
function M.any(bufnr)
  local clients = near(bufnr)
  if #clients == 1 then
    return clients[1]
  end
  if #clients == 0 then
    say.fail('the language server is not running; see :checkhealth operator')
  else
    say.fail('more than one language server is running: go to the transcript first')
  end
end

--- A value without its nulls: Neovim 0.11 leaves them out itself, 0.12 hands them over as `vim.NIL`.
function M.without_nulls(value)
  if value == vim.NIL then
    return nil
  end
  if type(value) == 'table' then
    for key, item in pairs(value) do
      value[key] = M.without_nulls(item)
    end
  end
  return value
end

--- Asks, and hands over the result; says what went wrong.
function M.ask(client, bufnr, method, params, done)
  local sent = client:request(method, params, function(err, result)
    if err then
      say.fail(err.message or vim.inspect(err))
    else
      done(M.without_nulls(result))
    end
  end, bufnr)
  if not sent then
    say.fail('the language server does not answer any more; :Operator restart starts it again')
  end
end

--- What a command is sent with that is about the workspace of a buffer, not about its text.
function M.command(client, bufnr, command, argument)
  local attached = vim.lsp.buf_is_attached(bufnr, client.id)
  local whole = vim.tbl_extend('keep', argument, { uri = attached and vim.uri_from_bufnr(bufnr) or nil })
  return { command = command, arguments = next(whole) and { whole } or nil }
end

--- Runs such a command.
function M.run(client, bufnr, command, argument, done)
  M.ask(client, bufnr, 'workspace/executeCommand', M.command(client, bufnr, command, argument), done)
end

--- Runs one of the server's commands, with an argument on a transcript as it is now.
function M.execute(client, bufnr, command, argument, done)
  local about = { uri = vim.uri_from_bufnr(bufnr), version = vim.lsp.util.buf_versions[bufnr] }
  local arguments = argument and { vim.tbl_extend('keep', argument, about) }
  M.ask(client, bufnr, 'workspace/executeCommand', { command = command, arguments = arguments }, done)
end

--- The blocks of a transcript; each gets its index.
function M.blocks(client, bufnr, done)
  local params = { textDocument = { uri = vim.uri_from_bufnr(bufnr) } }
  M.ask(client, bufnr, 'operator/proposals', params, function(blocks)
    for index, block in ipairs(blocks) do
      block.index = index - 1
    end
    done(blocks)
  end)
end

--- The block that the cursor is in, or that the preview shows; says so where there is none.
function M.block_at_cursor(client, bufnr, done)
  local previewed = vim.b.operator_block
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  M.blocks(client, bufnr, function(blocks)
    for _, block in ipairs(blocks) do
      if block.index == previewed then
        return done(block)
      end
      if not previewed and block.range.start.line <= line and line <= block.range['end'].line then
        return done(block)
      end
    end
    say.fail('no block at the cursor; :Operator inbox lists all blocks')
  end)
end

return M

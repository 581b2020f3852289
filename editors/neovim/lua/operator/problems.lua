-- A text for the model that says what is wrong with its blocks and asks for corrected ones.
local say = require('operator.say')
local server = require('operator.server')

local M = {}

local broken = { invalid = true, blocked = true, stale = true }

-- A diagnostic of the server, with what is used of it here called as Neovim calls it.
local function pulled(diagnostic)
  local start = diagnostic.range.start
  return vim.tbl_extend('force', diagnostic, { lnum = start.line, col = start.character })
end

-- The diagnostics of the text as it is now. Neovim 0.12 pulls them, which is done here, too, since the ones
-- that are shown may still be on their way; 0.11 has been sent them.
local function diagnostics(client, bufnr, done)
  if not client:supports_method('textDocument/diagnostic', bufnr) then
    local namespace = vim.lsp.diagnostic.get_namespace(client.id, false)
    return done(vim.diagnostic.get(bufnr, { namespace = namespace }))
  end
  local params = { textDocument = { uri = vim.uri_from_bufnr(bufnr) } }
  server.ask(client, bufnr, 'textDocument/diagnostic', params, function(report)
    done(vim.tbl_map(pulled, report.items))
  end)
end

local function in_order(found)
  table.sort(found, function(one, other)
    if one.lnum ~= other.lnum then
      return one.lnum < other.lnum
    end
    return one.col < other.col
  end)
  return found
end

-- A line of the transcript as the model wrote it, no longer than it has to be.
local function quoted(bufnr, lnum)
  local line = vim.api.nvim_buf_get_lines(bufnr, lnum, lnum + 1, false)[1] or ''
  if vim.fn.strchars(line) > 120 then
    line = vim.fn.strcharpart(line, 0, 117) .. '...'
  end
  return line
end

local function problem(bufnr, diagnostic, first)
  local message = diagnostic.message:gsub('\n', '\n     ')
  return ('   - line %d, %s: %s\n     > %s'):format(
    diagnostic.lnum - first + 1,
    diagnostic.code,
    message,
    quoted(bufnr, diagnostic.lnum)
  )
end

local function block_lines(bufnr, block, number, found)
  local name = block.id and (' `%s`'):format(block.id) or ''
  local lines = { ('%d. Block%s, %s, is %s:'):format(number, name, block.summary, block.status) }
  local first, last = block.range.start.line, block.range['end'].line
  for _, diagnostic in ipairs(found) do
    local inside = first <= diagnostic.lnum and diagnostic.lnum <= last
    if inside and diagnostic.severity == vim.diagnostic.severity.ERROR then
      table.insert(lines, problem(bufnr, diagnostic, first))
    end
  end
  return lines
end

local function outside(blocks, diagnostic)
  return not vim.iter(blocks):any(function(block)
    return block.range.start.line <= diagnostic.lnum and diagnostic.lnum <= block.range['end'].line
  end)
end

--- The text, and how many blocks it asks for; nothing where all is well.
function M.text(bufnr, blocks, found)
  local bad = vim.tbl_filter(function(block)
    -- Nothing is wrong with a block that only waits for an earlier one.
    return broken[block.status] and #block.waitsFor == 0
  end, blocks)
  local stray = vim.tbl_filter(function(diagnostic)
    return diagnostic.severity == vim.diagnostic.severity.ERROR and outside(blocks, diagnostic)
  end, found)
  if #bad + #stray == 0 then
    return nil, 0
  end
  local lines = {
    ('%d of the %s in your answer cannot be applied.'):format(#bad + #stray, say.counted(#blocks + #stray, 'edit block')),
    'Please send these again, corrected, each as a whole block; do not repeat the others.',
  }
  for number, block in ipairs(bad) do
    table.insert(lines, '')
    vim.list_extend(lines, block_lines(bufnr, block, number, found))
  end
  for number, diagnostic in ipairs(stray) do
    vim.list_extend(lines, { '', ('%d. This is almost a block:'):format(#bad + number) })
    table.insert(lines, problem(bufnr, diagnostic, diagnostic.lnum))
  end
  return table.concat(lines, '\n') .. '\n', #bad + #stray
end

--- Puts the text into a register.
function M.collect(client, bufnr, register)
  server.blocks(client, bufnr, function(blocks)
    diagnostics(client, bufnr, function(found)
      local text, count = M.text(bufnr, blocks, in_order(found))
      if not text then
        return say.info('no problems found')
      end
      local where = require('operator.replies').put(text, register)
      if where then
        say.info(('a text that asks for %s is in register %s'):format(say.counted(count, 'corrected block'), where))
      end
    end)
  end)
end

return M

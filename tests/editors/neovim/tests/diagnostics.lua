-- What is wrong is shown at the very characters.
local h = require('harness')

local function shown(bufnr)
  return h.until_('diagnostics', function()
    local found = vim.diagnostic.get(bufnr)
    return #found > 0 and found
  end)
end

-- The characters that a diagnostic is on.
local function marked(bufnr, diagnostic)
  h.same(diagnostic.lnum, diagnostic.end_lnum, 'it is on one line')
  local line = vim.api.nvim_buf_get_lines(bufnr, diagnostic.lnum, diagnostic.lnum + 1, false)[1]
  return line:sub(diagnostic.col + 1, diagnostic.end_col)
end

return {
  {
    'a damaged block is marked at its damage',
    function(w)
      local bufnr = w:transcript('# Chat\n\n' .. h.block('e1', 'fs.aplyEdits', 'a.txt'), { 'invalid' })
      local found = shown(bufnr)
      h.same(found[1].code, 'operator/unknown-action')
      h.same(found[1].source, 'operator')
      h.same(found[1].lnum, 5)
      h.same(marked(bufnr, found[1]), 'fs.aplyEdits')
    end,
  },
  {
    'columns hold after an astral character',
    function(w)
      -- U+1F600 is two units of UTF-16 and four bytes.
      local lines = {
        '#!SHAM [@three-char-SHA-256: k7m]',
        'action = "file_read"',
        'path = "/tmp/\u{1F600}/x" stray',
        '#!END_SHAM_k7m',
      }
      w:write('chat.md', table.concat(lines, '\n') .. '\n')
      local bufnr = w:edit('chat.md')
      local found = shown(bufnr)
      h.same(found[1].code, 'sham/trailing-content')
      h.same(marked(bufnr, found[1]), 'stray')
    end,
  },
  {
    'the fix of a problem is a code action that `u` undoes',
    function(w)
      local damaged = h.block('e1', 'fs.reed', 'a.txt')
      w:write('a.txt', 'one\n')
      local bufnr = w:transcript(damaged, { 'invalid' })
      shown(bufnr)
      h.go_to('fs.reed')
      h.take('quickfix')
      h.until_('the fixed action', function()
        return h.text(bufnr) == damaged:gsub('fs%.reed', 'fs.read')
      end)
      h.await_statuses(bufnr, { 'ready' })
      h.same(vim.diagnostic.get(bufnr), {})
      vim.cmd.undo()
      h.same(h.text(bufnr), damaged)
      h.await_statuses(bufnr, { 'invalid' })
    end,
  },
  {
    'a block that is fixed by hand is sound at once',
    function(w)
      w:write('a.txt', 'one\n')
      local bufnr = w:transcript(h.read('e1', 'b.txt'), { 'blocked' })
      h.go_to('b.txt')
      vim.cmd.normal({ 'ra', bang = true })
      h.await_statuses(bufnr, { 'ready' })
    end,
  },
}

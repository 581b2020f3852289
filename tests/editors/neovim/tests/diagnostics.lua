-- What is wrong is shown at the very characters.
local h = require('harness')

local function shown(bufnr)
  return h.until_('diagnostics', function()
    local found = vim.diagnostic.get(bufnr)
    return #found > 0 and found
  end)
end

-- The characters that a diagnostic stands on.
local function marked(bufnr, diagnostic)
  h.same(diagnostic.lnum, diagnostic.end_lnum, 'it stands on one line')
  local line = vim.api.nvim_buf_get_lines(bufnr, diagnostic.lnum, diagnostic.lnum + 1, false)[1]
  return line:sub(diagnostic.col + 1, diagnostic.end_col)
end

return {
  {
    'a damaged block is marked at its damage',
    function(w)
      local bufnr = w:transcript('# Chat\n\n' .. h.block({ { 'id', 'e1' }, { 'action', 'fs.aplyEdits' }, { 'path', 'a.txt' } }))
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
      -- U+1F600 is two units of UTF-16 and four bytes; the base64 is wrong after it.
      w:write('\u{1F600}.txt', 'x\n')
      local bufnr = w:transcript(h.block({ { 'id', 'e1' }, { 'action', 'fs.read' }, { 'path', '\u{1F600}\u{1F600}/../missing.txt' } }))
      local found = shown(bufnr)
      h.same(marked(bufnr, found[1]), '\u{1F600}\u{1F600}/../missing.txt')
    end,
  },
}

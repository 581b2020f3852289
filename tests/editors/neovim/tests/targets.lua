-- Files that are no transcripts are known to the server, and nothing else happens to them.
local h = require('harness')

local function attached(bufnr)
  return #vim.lsp.get_clients({ name = 'operator_lsp', bufnr = bufnr }) == 1
end

local function await_attached(bufnr)
  h.until_('the source file at the server', function()
    return attached(bufnr)
  end)
end

-- What the text is coloured as.
local function kind(bufnr, text)
  h.go_to(text)
  local at = vim.api.nvim_win_get_cursor(0)
  local tokens = vim.lsp.semantic_tokens.get_at_pos(bufnr, at[1] - 1, at[2]) or {}
  return tokens[1] and tokens[1].type
end

return {
  {
    'a source file keeps its own keys and options',
    function(w)
      w:write('a.conf', 'echo one\n')
      w:transcript(h.replace('e1', 'a.conf', 'one', 'two'), { 'ready' })
      local target = w:edit('a.conf')
      await_attached(target)
      h.same(vim.fn.maparg('K', 'n'), '')
      h.same({ vim.bo.tagfunc, vim.bo.omnifunc }, { '', '' })
      h.same(vim.fn.exists(':Operator'), 2)
      h.same(h.statuses(target), {})
      h.same(vim.lsp.get_clients({ bufnr = target, method = 'textDocument/hover' }), {})
      h.same(vim.lsp.get_clients({ bufnr = target, method = 'textDocument/codeAction' }), {})
    end,
  },
  {
    'a source file stays known when another server is switched on',
    function(w)
      w:write('a.conf', 'echo one\n')
      local bufnr = w:transcript(h.replace('e1', 'a.conf', 'one', 'two'), { 'ready' })
      local target = w:edit('a.conf')
      await_attached(target)
      vim.lsp.config('other', { cmd = { 'true' }, filetypes = { 'nothing' } })
      vim.lsp.enable('other')
      vim.lsp.enable('other', false)
      await_attached(target)
      vim.api.nvim_buf_set_lines(target, 0, 1, false, { 'echo zero' })
      h.await_statuses(bufnr, { 'blocked' })
    end,
  },
  {
    'no server starts for a source file alone, or for a file outside its workspace',
    function(w)
      w:write('a.conf', 'echo one\n')
      h.same(attached(w:edit('a.conf')), false)
      h.same(vim.lsp.get_clients(), {})
      w:transcript(h.replace('e1', 'a.conf', 'one', 'two'), { 'ready' })
      local outside = w:write('../outside-of-it.conf', 'echo\n')
      vim.cmd.edit(vim.fn.fnameescape(outside))
      vim.wait(200)
      h.same(attached(0), false)
      os.remove(outside)
    end,
  },
  {
    'nothing is asked about a source file, and transcripts lose nothing by it',
    function(w)
      w:write('a.conf', 'echo one\n')
      w:transcript(h.replace('e1', 'a.conf', 'one', 'two'), { 'ready' })
      local asked = {}
      local watch = vim.api.nvim_create_autocmd('LspRequest', {
        callback = function(event)
          local name = vim.fs.basename(vim.api.nvim_buf_get_name(event.buf))
          if event.data.request.type == 'pending' then
            asked[name] = vim.list_extend(asked[name] or {}, { event.data.request.method })
          end
        end,
      })
      local target = w:edit('a.conf')
      await_attached(target)
      local second = w:transcript(h.replace('e1', 'a.conf', 'one', 'two'), { 'ready' }, 'second.md')
      h.until_('the colours', function()
        return kind(second, 'OPERATOR_CMD')
      end)
      vim.wait(300)
      vim.api.nvim_del_autocmd(watch)
      -- Neovim 0.11 asks for colours before it can be told not to.
      h.same(asked['a.conf'], vim.fn.has('nvim-0.12') == 0 and { 'textDocument/semanticTokens/full' } or nil)
      h.same(vim.list_contains(asked['second.md'], 'operator/proposals'), true)
    end,
  },
  {
    'blocks are coloured without a syntax file',
    function(w)
      local bufnr = w:transcript(h.read('r1', 'a.txt'), { 'blocked' }, 'a.operator')
      h.until_('the colours', function()
        return kind(bufnr, 'OPERATOR_CMD')
      end)
      local kinds = { kind(bufnr, 'OPERATOR_CMD'), kind(bufnr, 'action'), kind(bufnr, 'fs.read') }
      h.same(kinds, { 'keyword', 'property', 'function' })
    end,
  },
  {
    'the block files have their own types',
    function(w)
      for name, filetype in pairs({ ['a.operator'] = 'operator', ['a.sham'] = 'sham', ['a.nesl'] = 'sham' }) do
        w:write(name, '')
        w:edit(name)
        h.same(vim.bo.filetype, filetype, name)
      end
    end,
  },
}

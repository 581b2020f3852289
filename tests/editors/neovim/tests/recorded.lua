-- What Neovim says of itself is what the tests of the server believe.
local h = require('harness')

return {
  {
    'the recorded initialize request is what this Neovim sends',
    function(w)
      local repository, results = vim.env.OPERATOR_REPOSITORY, vim.env.OPERATOR_RESULTS
      local recorded = results .. '/initialize.json'
      os.remove(recorded)
      local config = vim.lsp.config.operator_lsp
      vim.lsp.config('operator_lsp', { cmd = { repository .. '/tests/editors/record', recorded, vim.env.OPERATOR_LSP } })
      w:transcript(h.block({ { 'id', 'r1' }, { 'action', 'fs.read' }, { 'path', 'a.txt' } }))
      vim.lsp.config('operator_lsp', { cmd = config.cmd })
      local kept = repository .. '/tests/it/clients/neovim.json'
      if not vim.deep_equal(vim.fn.readfile(recorded), vim.fn.filereadable(kept) == 1 and vim.fn.readfile(kept) or {}) then
        error(('it is another one by now; if that is right: cp %s %s'):format(recorded, kept))
      end
    end,
  },
}

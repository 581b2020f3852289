-- What Neovim says of itself is what the tests of the server believe.
local h = require('harness')

-- A request as a value; of the version, which file holds it says enough.
local function request(path)
  local text = vim.fn.filereadable(path) == 1 and vim.fn.readblob(path) or '{}'
  local params = vim.json.decode(text)
  if params.clientInfo then
    params.clientInfo.version = nil
  end
  return params
end

return {
  {
    'the recorded initialize request is what this Neovim sends',
    function(w)
      local repository, results = vim.env.OPERATOR_REPOSITORY, vim.env.OPERATOR_RESULTS
      local recorded = results .. '/initialize.json'
      os.remove(recorded)
      vim.lsp.config('operator_lsp', { cmd = { repository .. '/tests/editors/record', recorded, vim.env.OPERATOR_LSP } })
      w:transcript(h.read('r1', 'a.txt'), { 'blocked' })
      local name = vim.fn.has('nvim-0.12') == 1 and 'neovim-0.12.json' or 'neovim.json'
      local kept = repository .. '/tests/it/clients/' .. name
      if not vim.deep_equal(request(recorded), request(kept)) then
        error(('it is another one by now; if that is right: cp %s %s'):format(recorded, kept))
      end
    end,
  },
}

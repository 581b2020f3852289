-- `:checkhealth operator` and `:help operator-lsp`.
local h = require('harness')

local function report()
  vim.cmd('silent checkhealth operator')
  local text = h.text(0)
  vim.cmd.bwipeout()
  return text
end

return {
  {
    'checkhealth finds nothing wrong',
    function(w)
      w:transcript(h.read('r1', 'a.txt'), { 'blocked' })
      local text = report()
      h.same(text:find('ERROR', 1, true), nil)
      h.same(text:find('WARNING', 1, true), nil)
      h.contains(text, 'operator-lsp 0.')
      h.contains(text, 'running for ' .. w.root)
    end,
  },
  {
    'checkhealth says what is wrong and what to do',
    function()
      vim.lsp.config('operator_lsp', { cmd = { '/nowhere/operator-lsp' } })
      local text = report()
      h.contains(text, 'ERROR `/nowhere/operator-lsp` is not on the PATH or not executable')
      vim.lsp.enable('operator_lsp', false)
      text = report()
      vim.lsp.enable('operator_lsp')
      h.contains(text, "vim.lsp.enable('operator_lsp')")
    end,
  },
  {
    'the help has tags that lead somewhere',
    function()
      local doc = vim.env.OPERATOR_RESULTS .. '/doc'
      vim.fn.delete(doc, 'rf')
      vim.fn.mkdir(doc, 'p')
      local source = vim.env.OPERATOR_REPOSITORY .. '/editors/neovim/doc/operator-lsp.txt'
      vim.fn.writefile(vim.fn.readfile(source), doc .. '/operator-lsp.txt')
      vim.cmd.helptags(vim.fn.fnameescape(doc))
      local tags = {}
      for _, line in ipairs(vim.fn.readfile(doc .. '/tags')) do
        tags[line:match('^%S+')] = true
      end
      local text = table.concat(vim.fn.readfile(source), '\n')
      for link in text:gmatch('|(%S-)|') do
        local known = tags[link] or #vim.fn.getcompletion(link, 'help') > 0
        h.same({ link, known }, { link, true })
      end
      h.same(tags.operator, nil, "Vim's own tag")
      vim.cmd('silent Operator nonsense')
      local names = h.hear('unknown subcommand `nonsense`'):match('use one of: (.*)$')
      for name in names:gmatch('[%w_]+') do
        h.same({ name, tags[':Operator-' .. name] }, { name, true })
      end
      for _, map in ipairs(vim.api.nvim_get_keymap('n')) do
        if map.lhs:find('<Plug>(operator-', 1, true) then
          h.contains(text, '\n\t' .. map.lhs .. '\t')
        end
      end
    end,
  },
}

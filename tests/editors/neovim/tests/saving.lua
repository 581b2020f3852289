-- What is saved after an apply.
local h = require('harness')

-- One file that is not open, one that is, and one with a change that is not saved.
local function three(w)
  w:write('closed.txt', 'one\n')
  w:edit('open.txt', 'one\n')
  local changed = w:edit('changed.txt', 'one\nlast\n')
  vim.api.nvim_buf_set_lines(changed, -1, -1, false, { 'typed' })
  local text = ''
  for _, path in ipairs({ 'closed.txt', 'open.txt', 'changed.txt' }) do
    text = text .. h.replace(path, path, 'one', 'eins')
  end
  return w:transcript(text .. h.write('new', 'new.txt', 'new\n'), { 'ready', 'ready', 'ready', 'ready' })
end

local function on_disk(w)
  return vim.tbl_map(function(path)
    return w:read(path)
  end, { 'closed.txt', 'open.txt', 'changed.txt', 'new.txt' })
end

local function after_apply_all(w, when)
  vim.lsp.config('operator_lsp', { settings = { operator = { saveAfterApply = when } } })
  three(w)
  vim.cmd('Operator apply_all')
  return h.hear('applied 4 changes in 4 files'):gsub('^operator: ', '')
end

return {
  {
    'files without a change of the user are saved, and what is not saved is said',
    function(w)
      h.same(after_apply_all(w, nil), 'applied 4 changes in 4 files, not saved yet: changed.txt (:wall)')
      h.same(on_disk(w), { 'eins\n', 'eins\n', 'one\nlast\n', 'new\n' })
      vim.cmd('Operator undo')
      h.hear('undid the last apply, not saved yet: changed.txt (:wall)')
      h.same(on_disk(w), { 'one\n', 'one\n', 'one\nlast\n', nil })
    end,
  },
  {
    'all files are saved if the settings say so',
    function(w)
      h.same(after_apply_all(w, 'always'), 'applied 4 changes in 4 files')
      h.same(on_disk(w), { 'eins\n', 'eins\n', 'eins\nlast\ntyped\n', 'new\n' })
    end,
  },
  {
    'no file is saved if the settings say so',
    function(w)
      local said = after_apply_all(w, 'never')
      h.same(said, 'applied 4 changes in 4 files, not saved yet: changed.txt, closed.txt, new.txt, open.txt (:wall)')
      h.same(on_disk(w), { 'one\n', 'one\n', 'one\nlast\n', '' })
    end,
  },
  {
    'a file that cannot be written stays unsaved, and is named',
    function(w)
      vim.bo[w:edit('a.txt', 'one\n')].readonly = true
      w:transcript(h.replace('e1', 'a.txt', 'one', 'eins'), { 'ready' })
      h.take('refactor.rewrite.operator.apply')
      h.hear('not saved yet: a.txt (:wall)')
      h.same(w:read('a.txt'), 'one\n')
    end,
  },
  {
    'what was applied is committed without another save, new files included',
    function(w)
      local function git(...)
        local command = { 'git', '-C', w.root, '-c', 'user.name=A', '-c', 'user.email=a@example.com', ... }
        local result = vim.system(command, { text = true }):wait()
        return assert(result.code == 0 and result.stdout, result.stderr)
      end
      vim.fn.delete(w.root .. '/.git', 'rf')
      git('init', '--quiet')
      git('config', 'user.name', 'A')
      git('config', 'user.email', 'a@example.com')
      w:write('a.txt', 'one\n')
      w:write('chat.md', h.replace('e1', 'a.txt', 'one', 'eins') .. h.write('w1', 'new.txt', 'new\n'))
      git('add', '.')
      git('commit', '--quiet', '--message', 'first')
      vim.lsp.config('operator_lsp', { init_options = { git = { commit = true } } })
      h.await_statuses(w:edit('chat.md'), { 'ready', 'ready' })
      vim.cmd('Operator apply_all')
      h.hear('applied 2 changes in 2 files')
      h.until_('the commit', function()
        return git('log', '-1', '--format=%s', '--', 'new.txt'):find('^AI: ')
      end)
      h.same(git('status', '--porcelain'), '')
    end,
  },
}

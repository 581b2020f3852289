-- Which folder is the workspace of a transcript.
local h = require('harness')

-- A folder outside of every repository, until the test is over.
local function outside(does)
  local folder = vim.uv.fs_mkdtemp(vim.fs.joinpath(vim.uv.os_tmpdir(), 'operator-XXXXXX'))
  local ok, why = pcall(does, vim.fs.normalize(vim.uv.fs_realpath(folder)))
  vim.fn.delete(folder, 'rf')
  assert(ok, why)
end

local function write(path, text)
  vim.fn.mkdir(vim.fs.dirname(path), 'p')
  vim.fn.writefile(vim.split(text, '\n'), path)
end

-- The workspace of the current buffer, as `:Operator root` says it.
local function root()
  vim.cmd('Operator root')
  local path, why = h.hear('the workspace is '):match('the workspace is (.*) %((.*)%)$')
  return { vim.fs.normalize(path), why }
end

return {
  {
    'the workspace is the repository of the file, else that of the working directory',
    function(w)
      w:write('a.txt', 'one\n')
      vim.fn.mkdir('deep/er', 'p')
      vim.cmd.cd('deep/er')
      h.same(root(), { w.root, 'the repository of the working directory' })
      outside(function(folder)
        write(folder .. '/chat.md', h.replace('e1', 'a.txt', 'one', 'eins'))
        vim.cmd.edit(folder .. '/chat.md')
        h.await_statuses(0, { 'ready' })
        h.same(root(), { w.root, 'the repository of the working directory' })
        vim.fn.mkdir(folder .. '/repo/.git', 'p')
        write(folder .. '/repo/b.txt', 'two')
        write(folder .. '/repo/sub/chat.md', h.replace('e1', 'b.txt', 'two', 'zwei'))
        vim.cmd.edit(folder .. '/repo/sub/chat.md')
        h.await_statuses(0, { 'ready' })
        h.same(root(), { folder .. '/repo', 'the repository of this file' })
        vim.cmd.enew()
      end)
    end,
  },
  {
    'outside of every repository the workspace is the working directory',
    function()
      outside(function(folder)
        vim.cmd.cd(folder)
        write(folder .. '/a.txt', 'one')
        write(folder .. '/chats/chat.md', h.replace('e1', 'a.txt', 'one', 'eins'))
        vim.cmd.edit('chats/chat.md')
        h.await_statuses(0, { 'ready' })
        h.same(root(), { folder, 'the working directory' })
        vim.cmd.enew()
      end)
    end,
  },
  {
    'a buffer without a file is in the repository of the working directory',
    function(w)
      w:write('a.txt', 'one\n')
      vim.cmd.enew()
      vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(h.replace('e1', 'a.txt', 'one', 'eins'), '\n'))
      vim.bo.filetype = 'markdown'
      h.await_statuses(0, { 'ready' })
      h.same(root(), { w.root, 'the repository of the working directory' })
    end,
  },
}

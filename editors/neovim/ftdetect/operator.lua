vim.filetype.add({
  extension = { operator = 'operator', sham = 'sham', nesl = 'sham' },
})

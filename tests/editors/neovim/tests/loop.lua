-- The loop with a model, by the keys that a person presses: how many they are, and a conversation in which a block fails.
local h = require('harness')

local FILES = { 'cart.py', 'shop.py', 'till.py' }

-- Maps that a user would have: one chord each.
local MAPS = { ['<M-s>'] = 'prompt', ['<M-v>'] = 'paste', ['<M-y>'] = 'reply', ['<M-u>'] = 'undo' }

-- What is done in the browser: the steps there cannot be pressed here.
local function browser(what)
  return { what = what, count = select(2, what:gsub(',', '')) + 1 }
end

local Steps = {}
Steps.__index = Steps

--- Presses keys, each a step.
function Steps:press(row, keys)
  local pressed = vim.split(keys, ' ', { plain = true })
  for _, key in ipairs(pressed) do
    self.maps = self.maps + (MAPS[key] and 1 or 0)
    vim.api.nvim_feedkeys(vim.keycode(key), 'xt', false)
  end
  self:add(row, table.concat(pressed, ', '), #pressed)
end

function Steps:add(row, what, count)
  if self.rows[#self.rows] and self.rows[#self.rows].row == row then
    local last = self.rows[#self.rows]
    last.what, last.count = last.what .. ', ' .. what, last.count + count
  else
    table.insert(self.rows, { row = row, what = what, count = count })
  end
  self.sum = self.sum + count
end

function Steps:browser(row, what)
  local steps = browser(what)
  self:add(row, steps.what, steps.count)
end

local function steps()
  return setmetatable({ rows = {}, sum = 0, maps = 0 }, Steps)
end

-- The table, on the output and in a file.
local function show(title, counted)
  local lines = { title }
  for _, row in ipairs(counted.rows) do
    table.insert(lines, ('  %-12s %2d  %s'):format(row.row, row.count, row.what))
  end
  local more = counted.sum + 2 * counted.maps
  table.insert(lines, ('  %-12s %2d  (%d with maps as <Leader>op, of three keys)'):format('sum', counted.sum, more))
  io.stdout:write(table.concat(lines, '\n'), '\n')
  vim.fn.writefile(lines, vim.env.OPERATOR_RESULTS .. '/loop-steps.txt', 'a')
end

-- How an edit is written in a dialect, and how a reply says that it failed.
local DIALECTS = {
  ['search-replace'] = {
    edit = function(path, old, new)
      return ('%s\n<<<<<<< SEARCH\n%s\n=======\n%s\n>>>>>>> REPLACE\n'):format(path, old, new)
    end,
    failed = 'not applied (plan/text-not-found)',
  },
  operator = {
    edit = function(path, old, new)
      return h.replace(('%s-%s'):format(path, old), path, old, new)
    end,
    failed = 'ok: false',
  },
  ['apply-patch'] = {
    edit = function(path, old, new)
      local lines = '*** Begin Patch\n*** Update File: %s\n@@\n-%s\n+%s\n*** End Patch\n'
      return lines:format(path, old, new)
    end,
    failed = 'not applied (plan/text-not-found)',
  },
}

-- An answer with edits `{path, old, new}`, as a model writes it.
local function answer(edits, dialect)
  local blocks = vim.tbl_map(function(each)
    return DIALECTS[dialect or 'search-replace'].edit(unpack(each))
  end, edits)
  return 'Here are the changes.\n\n````\n' .. table.concat(blocks, '\n') .. '````\n'
end

-- The workspace with its files open, and the keys mapped.
local function begin(w)
  for keys, name in pairs(MAPS) do
    vim.keymap.set('n', keys, ('<Plug>(operator-%s)'):format(name))
  end
  for _, path in ipairs(FILES) do
    w:edit(path, 'one\ntwo\nthree\nfour\n')
  end
end

local function preview_of(text)
  h.until_('a preview with ' .. text, function()
    local windows = vim.api.nvim_tabpage_list_wins(0)
    local right = #vim.api.nvim_list_tabpages() == 2 and windows[2]
    return right and h.text(vim.api.nvim_win_get_buf(right)):find(text, 1, true)
  end)
end

local function copied(text)
  vim.fn.setreg('"', text)
end

-- From the answer in the browser to the reply there: review, apply, save, reply.
local function round(w, counted, edits)
  counted:browser('answer', 'copy, switch')
  copied(answer(edits))
  counted:press('answer', '<M-v>')
  h.hear(('the answer has %d blocks: %d ready'):format(#edits, #edits))
  counted:press('review', '<CR>')
  for _, each in ipairs(edits) do
    preview_of(each[3])
    counted:press('review', 'A')
    h.hear('applied search-replace.edit ' .. each[1])
  end
  h.hear('no block is left to review')
  counted:add('save', 'by itself', 0)
  for _, each in ipairs(edits) do
    h.contains(w:read(each[1]), each[3])
  end
  counted:press('reply', '<M-y>')
  h.hear('the reply is in register')
  counted:browser('back', 'switch, paste, send')
end

local FIRST = {
  { 'cart.py', 'one', 'eins' },
  { 'cart.py', 'three', 'drei' },
  { 'shop.py', 'two', 'zwei' },
  { 'shop.py', 'four', 'vier' },
  { 'till.py', 'one', 'uno' },
}
local SECOND = {
  { 'cart.py', 'two', 'deux' },
  { 'cart.py', 'four', 'quatre' },
  { 'shop.py', 'one', 'un' },
  { 'till.py', 'two', 'dos' },
  { 'till.py', 'three', 'tres' },
}

-- A chat in a dialect from its first message to the undo of all.
local function conversation(dialect)
  local words = DIALECTS[dialect]
  return {
    'a conversation in ' .. dialect .. ': prompt, answer, a block that fails, reply, its correction, undo',
    function(w)
      begin(w)
      local counted = steps()
      counted:press('start', '<M-s>')
      h.hear('3 files, about ')
      copied(answer({ FIRST[1], { 'shop.py', 'twelve', 'zwölf' }, FIRST[5] }, dialect))
      counted:press('answer', '<M-v>')
      h.hear('the answer has 3 blocks: 2 ready, 1 blocked')
      local chat = vim.api.nvim_win_get_buf(vim.fn.getloclist(0, { filewinid = 0 }).filewinid)
      counted:press('review', '<CR>')
      preview_of('eins')
      counted:press('review', 'A')
      preview_of('uno')
      counted:press('review', 'A')
      h.hear('no block is left to review: 2 applied, 1 blocked')
      counted:press('reply', '<M-y>')
      h.hear('the reply is in register')
      local reply = vim.fn.getreg('"')
      h.contains(reply, words.failed)
      -- The model sends the one block again.
      copied(answer({ { 'shop.py', 'two', 'zwölf' } }, dialect))
      counted:press('answer', '<M-v>')
      h.hear('the answer has 1 block: 1 ready')
      counted:press('review', '<CR>')
      preview_of('zwölf')
      counted:press('review', 'A')
      h.hear('no block is left to review')
      h.same(w:read('shop.py'), 'one\nzwölf\nthree\nfour\n')
      counted:press('reply', '<M-y>')
      h.hear('the reply is in register')
      h.contains(vim.fn.getreg('"'), dialect == 'operator' and 'id: shop.py-two' or 'shop.py')
      for _, told in ipairs({ 'cart.py', 'till.py' }) do
        h.same(vim.fn.getreg('"'):find(told, 1, true), nil, 'what was told before')
      end
      h.until_('the end of the second round', function()
        return not vim.tbl_contains(vim.tbl_map(function(status)
          return status[2]:match('^%a+')
        end, h.statuses(chat)), 'ready')
      end)
      for _ = 1, 3 do
        counted:press('undo', '<M-u>')
        h.hear('undid the last apply')
      end
      for _, path in ipairs(FILES) do
        h.same(w:read(path), 'one\ntwo\nthree\nfour\n')
      end
    end,
  }
end

return {
  {
    'a round with three files and five edits takes at most 18 steps, each further one 13',
    function(w)
      vim.fn.delete(vim.env.OPERATOR_RESULTS .. '/loop-steps.txt')
      begin(w)
      local first, second = steps(), steps()
      first:press('start', '<M-s>')
      h.hear('3 files, about ')
      for _, path in ipairs(FILES) do
        h.contains(vim.fn.getreg('"'), '\n## ' .. path .. '\n')
      end
      first:browser('start', 'switch, paste')
      round(w, first, FIRST)
      show('first round', first)
      round(w, second, SECOND)
      show('each further round', second)
      assert(first.sum <= 18, first.sum)
      assert(second.sum <= 13, second.sum)
    end,
  },
  conversation('search-replace'),
  conversation('operator'),
  conversation('apply-patch'),
}

-- Stopping the language server and starting it again.
local say = require('operator.say')

local M = {}

-- How long a server may take to end by itself, in steps of 50 ms.
local STEPS = 60

local function running()
  return vim.lsp.get_clients({ name = 'operator_lsp' })
end

local function wait(steps, done)
  if #running() == 0 then
    return done()
  end
  if steps == 0 then
    vim.iter(running()):each(function(client)
      client:stop(true)
    end)
  end
  if steps < -STEPS then
    return say.fail('the language server does not end; :Operator server_log may say why')
  end
  vim.defer_fn(function()
    wait(steps - 1, done)
  end, 50)
end

--- Restarts the server for every transcript.
function M.restart()
  if vim.lsp.is_enabled and not vim.lsp.is_enabled('operator_lsp') then
    return say.fail("the language server is not switched on: vim.lsp.enable('operator_lsp')")
  end
  vim.lsp.enable('operator_lsp', false)
  -- Neovim 0.12 has told them already.
  vim.iter(running()):each(function(client)
    if not client:is_stopped() then
      client:stop()
    end
  end)
  wait(STEPS, function()
    vim.lsp.enable('operator_lsp')
    require('operator.chats').opened_all()
    say.info('the language server was started again')
  end)
end

--- Opens the log.
function M.log()
  vim.cmd.split(vim.fn.fnameescape(vim.lsp.log.get_filename()))
  vim.cmd('normal! G')
  say.info("the log of all language servers; vim.lsp.log.set_level('debug') has it say more")
end

return M

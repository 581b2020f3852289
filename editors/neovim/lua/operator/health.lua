-- `:checkhealth operator`
local M = {}

local health = vim.health

local function check_editor()
  health.start('operator: Neovim')
  if vim.fn.has('nvim-0.11') == 1 then
    health.ok('Neovim ' .. tostring(vim.version()))
  else
    health.error('Neovim 0.11 or newer is needed')
  end
  if vim.fn.has('clipboard') == 1 then
    health.ok('the reply to the model is put into the clipboard, too')
  else
    health.info('no clipboard: the reply to the model is put into the unnamed register only (:help clipboard)')
  end
end

local function check_binary(config)
  health.start('operator: the program')
  if type(config.cmd) ~= 'table' then
    health.info('`cmd` is a function: the program cannot be checked')
    return
  end
  if vim.fn.executable(config.cmd[1]) == 0 then
    health.error(('`%s` is not on the PATH or not executable'):format(config.cmd[1]), {
      'Install operator-lsp, or name it:',
      "vim.lsp.config('operator_lsp', { cmd = { '/full/path/operator-lsp' } })",
    })
    return
  end
  local version, why = require('operator.spec').version()
  if version then
    health.ok(('%s (%s)'):format(vim.trim(version), vim.fn.exepath(config.cmd[1])))
  else
    health.error(('`%s --version` fails: %s'):format(config.cmd[1], why))
  end
end

local function check_server(config)
  health.start('operator: the language server')
  if vim.lsp.is_enabled and not vim.lsp.is_enabled('operator_lsp') then
    health.warn('it is not switched on', { "Put vim.lsp.enable('operator_lsp') into your init.lua" })
  else
    health.ok('it is switched on')
  end
  health.info('transcripts are files of the types ' .. table.concat(config.filetypes or {}, ', '))
  local clients = vim.lsp.get_clients({ name = 'operator_lsp' })
  if #clients == 0 then
    health.info('it is not running: it starts with the first transcript')
  end
  for _, client in ipairs(clients) do
    local attach = require('operator.attach')
    local transcripts = vim.tbl_filter(function(bufnr)
      return attach.is_transcript(client, bufnr)
    end, vim.tbl_keys(client.attached_buffers))
    local say = require('operator.say')
    health.ok(
      ('running for %s, with %s and %s'):format(
        client.root_dir or 'no workspace',
        say.counted(#transcripts, 'transcript'),
        say.counted(vim.tbl_count(client.attached_buffers) - #transcripts, 'other file')
      )
    )
  end
  health.info('its log is ' .. vim.lsp.log.get_filename() .. ' (:Operator server_log)')
end

function M.check()
  check_editor()
  local config = vim.lsp.config.operator_lsp
  if not config then
    health.error('lsp/operator_lsp.lua is not on the runtimepath', { 'Install the plugin as a whole' })
    return
  end
  check_binary(config)
  check_server(config)
end

return M

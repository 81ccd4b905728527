-- Neovim without a screen: opens every game, asks what a person would ask, then types, fixes, renames and formats.
-- RGTRANS_CORPUS is a folder with more games, which may have mistakes.
-- nvim --headless -u NONE -i NONE -l is newer than Debian's, so: nvim --headless -u NONE -c 'luafile neovim.lua'
local program = vim.env.RGTRANS
local root = vim.env.RGTRANS_SOURCE
local failures = 0

local function check(condition, message)
  if not condition then
    failures = failures + 1
    io.stdout:write('FAILED: ' .. message .. '\n')
  end
end

local function finish()
  io.stdout:write(failures == 0 and 'neovim: all well\n' or 'neovim: ' .. failures .. ' failures\n')
  vim.cmd(failures == 0 and 'qall!' or 'cquit!')
end

local client = vim.lsp.start_client({ name = 'rgtrans', cmd = { program, 'lsp' }, root_dir = root .. '/games' })
local languages = { hrg = 'hrg', rg = 'rg', rbg = 'rbg', kif = 'gdl', gdl = 'gdl', ldx = 'ludax', lud = 'ludii', linegame = 'linegames' }
vim.lsp.get_client_by_id(client).config.get_language_id = function(buffer)
  return languages[vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':e')] or ''
end
vim.wait(5000, function() return vim.lsp.get_client_by_id(client).initialized end)

local published = {}
local publish = vim.lsp.handlers['textDocument/publishDiagnostics']
vim.lsp.handlers['textDocument/publishDiagnostics'] = function(problem, result, context, config)
  published[result.uri] = result
  return publish(problem, result, context, config)
end

local function ask(buffer, method, parameters)
  local answers, problem = vim.lsp.buf_request_sync(buffer, method, parameters, 20000)
  check(problem == nil, method .. ': ' .. tostring(problem))
  local answer = answers and answers[client]
  check(answer ~= nil and answer.error == nil, method .. ' on ' .. vim.api.nvim_buf_get_name(buffer) .. ': ' .. vim.inspect(answer and answer.error))
  return answer and answer.result
end

-- Errors, and warnings too if they count.
local function mistakes_of(buffer, version, worst)
  local uri = vim.uri_from_bufnr(buffer)
  vim.wait(20000, function() return published[uri] ~= nil and (version == nil or (published[uri].version or 0) >= version) end, 10)
  local list = {}
  for _, found in ipairs(published[uri] and published[uri].diagnostics or {}) do
    if found.severity <= (worst or 1) then table.insert(list, found) end
  end
  return list
end

local function open(path)
  vim.cmd('edit ' .. vim.fn.fnameescape(path))
  local buffer = vim.api.nvim_get_current_buf()
  vim.lsp.buf_attach_client(buffer, client)
  return buffer
end

local function try_game(path, ours)
  local buffer = open(path)
  local document = { uri = vim.uri_from_bufnr(buffer) }
  local lines = vim.api.nvim_buf_line_count(buffer)
  local place = { textDocument = document, position = { line = math.floor(lines / 2), character = 4 } }
  local symbols = ask(buffer, 'textDocument/documentSymbol', { textDocument = document })
  check(symbols and (#symbols > 0 or not ours), path .. ' has symbols')
  for _, method in ipairs({ 'hover', 'definition', 'documentHighlight', 'completion', 'signatureHelp' }) do
    ask(buffer, 'textDocument/' .. method, place)
  end
  ask(buffer, 'textDocument/formatting', { textDocument = document, options = { tabSize = 2, insertSpaces = true } })
  local mistakes = mistakes_of(buffer)
  check(published[document.uri], path .. ' was not looked through')
  if ours then check(#mistakes == 0, path .. ' has errors: ' .. vim.inspect(mistakes)) end
  vim.cmd('bwipeout!')
end

local function every_game(folder, ours)
  local count = 0
  for _, path in ipairs(vim.fn.globpath(folder, '**/*', false, true)) do
    if languages[vim.fn.fnamemodify(path, ':e')] then
      count = count + 1
      try_game(path, ours)
    end
  end
  check(count > 50, 'only ' .. count .. ' games in ' .. folder)
  io.stdout:write('neovim: ' .. count .. ' games in ' .. folder .. '\n')
end

local function apply_fix(buffer, found)
  local actions = ask(buffer, 'textDocument/codeAction', {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    range = found.range,
    context = { diagnostics = { found } },
  })
  check(actions and #actions > 0, 'no fix for: ' .. found.message)
  if actions and actions[1] then vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16') end
end

local function text_of(buffer) return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n') end

-- A game with two mistakes is typed, mended, renamed and laid out.
local function editing()
  local path = vim.fn.tempname() .. '.hrg'
  vim.fn.writefile({}, path)
  local buffer = open(path)
  local typed = {
    'domain Player = me | you',
    'domain Score = 0 | 1',
    'domain Side = heads | tails',
    'side : Sid',
    'graph rules() {',
    'player = me',
    'side = Side(*)',
    '$$ side',
    'player = keeper',
    'if sde == heads {',
    'goals[me] = 1',
    '}',
    'end()',
    '}',
  }
  for i, line in ipairs(typed) do
    vim.api.nvim_buf_set_lines(buffer, i == 1 and 0 or -1, -1, false, { line })
  end
  for _ = 1, 5 do
    local version = vim.lsp.util.buf_versions[buffer]
    local found = mistakes_of(buffer, version, 2)
    if #found == 0 then break end
    apply_fix(buffer, found[1])
  end
  check(#mistakes_of(buffer, vim.lsp.util.buf_versions[buffer], 2) == 0, 'mistakes are left:\n' .. text_of(buffer))
  local edit = ask(buffer, 'textDocument/rename', {
    textDocument = { uri = vim.uri_from_bufnr(buffer) }, position = { line = 3, character = 1 }, newName = 'coin',
  })
  if edit then vim.lsp.util.apply_workspace_edit(edit, 'utf-16') end
  vim.lsp.buf.formatting_sync(nil, 10000)
  local expected = [[
domain Player = me | you
domain Score = 0 | 1
domain Side = heads | tails
coin : Side

graph rules() {
  player = me
  coin = Side(*)
  $$ coin
  player = keeper
  if coin == heads {
    goals[me] = 1
  }
  end()
}]]
  check(text_of(buffer) == expected, 'the text became\n' .. text_of(buffer))
end

local ok, problem = pcall(function()
  every_game(root .. '/games', true)
  if vim.env.RGTRANS_CORPUS then every_game(vim.env.RGTRANS_CORPUS, false) end
  editing()
end)
check(ok, tostring(problem))
vim.lsp.stop_client(client)
finish()

-- The configuration of docs/editors.md, on one game: run as the only configuration, it has to end with a client attached,
-- the keys set and the lenses there.
local text = table.concat(vim.fn.readfile(vim.env.RGTRANS_SOURCE .. '/docs/editors.md'), '\n')
local configuration = text:match('```lua\n(.-)```')
local ok, problem = pcall(function()
  assert(loadstring(configuration))()
  vim.cmd('edit ' .. vim.env.RGTRANS_SOURCE .. '/games/hrg/tic-tac-toe.hrg')
  assert(vim.bo.filetype == 'hrg', 'the file type is ' .. vim.bo.filetype)
  vim.wait(10000, function() return #vim.lsp.codelens.get(0) == 4 and vim.lsp.codelens.get(0)[4].command ~= nil end, 20)
  assert(#vim.lsp.buf_get_clients(0) == 1, 'no client')
  assert(vim.fn.maparg('gd', 'n') ~= '' or #vim.api.nvim_buf_get_keymap(0, 'n') > 4, 'no keys')
  local title = vim.lsp.codelens.get(0)[4].command.title
  assert(title == 'moves 9', 'the lens says ' .. title)
end)
io.stdout:write(ok and 'neovim: all well\n' or 'FAILED: ' .. tostring(problem) .. '\n')
vim.cmd(ok and 'qall!' or 'cquit!')

-- SPDX-License-Identifier: Apache-2.0
-- What a trader does in Neovim, by its own client: what came is written to the file that SESSION_OUT names.
local seen = {}
local patience = 60000

local function wait(what, condition)
  if not vim.wait(patience, condition, 20) then
    error("nothing came of: " .. what)
  end
end

local function go(line, pattern)
  local text = vim.api.nvim_buf_get_lines(0, line, line + 1, true)[1]
  vim.api.nvim_win_set_cursor(0, { line + 1, text:find(pattern) - 1 })
end

local function ask(method, more)
  local params = vim.tbl_extend("force", vim.lsp.util.make_position_params(0, "utf-16"), more or {})
  local answers = vim.lsp.buf_request_sync(0, method, params, patience)
  local _, answer = next(answers)
  return answer.result
end

local function lines()
  return vim.api.nvim_buf_get_lines(0, 0, -1, true)
end

local function session()
  wait("diagnostics", function() return #vim.diagnostic.get(0) > 0 end)
  for _, found in ipairs(vim.diagnostic.get(0)) do
    seen.diagnostic = { found.lnum, found.col, found.end_col, found.code, found.message, found.source }
  end

  -- The quick fix, by the position at which the client has put the diagnostic.
  local at = vim.diagnostic.get(0)[1]
  vim.api.nvim_win_set_cursor(0, { at.lnum + 1, at.col })
  local range = vim.lsp.util.make_range_params(0, "utf-16").range
  local actions = ask("textDocument/codeAction", { range = range, context = { diagnostics = {} } })
  seen.fix = actions[1].title
  vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
  wait("diagnostics to go", function() return #vim.diagnostic.get(0) == 0 end)

  go(4, "entry")
  seen.hover = ask("textDocument/hover").contents.value

  go(5, "entry")
  vim.lsp.buf.definition()
  wait("the definition", function() return vim.api.nvim_win_get_cursor(0)[1] == 5 end)
  seen.definition = vim.api.nvim_win_get_cursor(0)

  -- Completion as Ctrl-X Ctrl-O does it.
  vim.api.nvim_buf_set_lines(0, 6, 6, true, { "  - id: new", "    instrument: M" })
  vim.api.nvim_win_set_cursor(0, { 8, 17 })
  local params = vim.lsp.util.make_position_params(0, "utf-16")
  params.position.character = 17
  local items = ask("textDocument/completion", params)
  local offered = vim.lsp.util.text_document_completion_list_to_complete_items(items, "M")
  seen.completion = vim.tbl_map(function(item) return item.word end, offered)
  vim.api.nvim_buf_set_lines(0, 6, 8, true, {})

  vim.api.nvim_buf_set_lines(0, 2, 3, true, { "limits:   {collar:   5%}" })
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ timeout_ms = patience })
  else
    vim.lsp.buf.formatting_sync(nil, patience)
  end
  seen.formatted = lines()
  seen.symbols = #ask("textDocument/documentSymbol")
end

local done, problem = pcall(session)
seen.problem = not done and tostring(problem) or nil
local file = assert(io.open(vim.env.SESSION_OUT, "w"))
file:write(vim.json and vim.json.encode(seen) or vim.fn.json_encode(seen))
file:close()
vim.cmd("qall!")

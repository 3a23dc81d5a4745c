// docs/reference/mcp.md: the tools that an MCP client sees.

import { mcpTools } from '../../src/serve/mcp/mcp-tools.ts';
import { FIELD_HEAD, fieldRows } from './field-rows.ts';
import { inCode, page, table } from './markdown.ts';

export function mcpPage(): string {
  const tools = mcpTools(true);
  const isDefault = new Set(mcpTools(false).map(({ action }) => action.name));
  const rows = tools.map(({ action, binding }) => [
    `[${inCode(action.name)}](#${action.name})`,
    binding.title,
    isDefault.has(action.name) ? 'always' : 'with `PINAKES_SERVE_ADMIN_TOOLS=true`',
  ]);
  return page(
    'MCP',
    `\`pinakes mcp\` serves one client on stdin and stdout; \`pinakes serve\` serves MCP over HTTP at \`/mcp\`. Both speak the
protocol of 2025 and the stateless one of 2026-07-28. Every tool returns structured content within a token
budget. Tools that change the library are available only if the operator enables them. There is one prompt,
\`add-documentation\`, and pages are resources: \`pinakes://page/{source}/{+url}\`.`,
    table(['tool', 'title', 'available'], rows),
    ...tools.map(({ action, binding }) => {
      const fields = fieldRows(action.input, Object.keys(binding.fixedInput ?? {}));
      const about = `## ${action.name}\n\n${action.summary}.`;
      return fields.length === 0 ? `${about} No input.` : `${about}\n\n${table(FIELD_HEAD, fields)}`;
    }),
  );
}

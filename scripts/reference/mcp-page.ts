// docs/reference/mcp.md: the tools as an MCP client sees them.

import { mcpTools } from '../../src/serve/mcp/mcp-tools.ts';
import { FIELD_HEAD, fieldRows } from './field-rows.ts';
import { inCode, page, table } from './markdown.ts';

export function mcpPage(): string {
  const tools = mcpTools(true);
  const isDefault = new Set(mcpTools(false).map(({ action }) => action.name));
  const rows = tools.map(({ action, door }) => [
    `[${inCode(action.name)}](#${action.name})`,
    door.title,
    isDefault.has(action.name) ? 'always' : 'with `PINAKES_SERVE_ADMIN_TOOLS=true`',
  ]);
  return page(
    'MCP',
    `\`pinakes mcp\` serves one client on stdin and stdout; \`pinakes serve\` answers MCP over HTTP at \`/mcp\`. Both speak the
protocol of 2025 and the stateless one of 2026-07-28. Every tool answers with structured content and keeps a budget of
tokens. Tools that change the library are there only where the operator says so. There is one prompt,
\`add-documentation\`, and pages are resources: \`pinakes://page/{source}/{+url}\`.`,
    table(['tool', 'title', 'offered'], rows),
    ...tools.map(({ action, door }) => {
      const fields = fieldRows(action.input, Object.keys(door.says ?? {}));
      const about = `## ${action.name}\n\n${action.summary}.`;
      return fields.length === 0 ? `${about} It takes no input.` : `${about}\n\n${table(FIELD_HEAD, fields)}`;
    }),
  );
}

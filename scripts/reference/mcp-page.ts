// docs/reference/mcp.md: the tools that an MCP client sees.

import { MCP_TOOLS } from '../../src/serve/mcp/mcp-tools.ts';
import { FIELD_HEAD, fieldRows } from './field-rows.ts';
import { inCode, page, table } from './markdown.ts';

export function mcpPage(): string {
  const rows = MCP_TOOLS.map(({ action, binding }) => [
    `[${inCode(action.name)}](#${action.name})`,
    binding.title,
    binding.tools === 'default' ? 'always' : 'with `setup CLIENT --allow-writes`',
  ]);
  return page(
    'MCP',
    `\`pinakes mcp\` serves one client on stdin and stdout; \`pinakes serve\` serves MCP over HTTP at \`/mcp\`. Both speak the
protocol of 2025 and the stateless one of 2026-07-28. The text of a
result is Markdown with citations; the same data is in the structured content. Tools that change the library are available only if
the operator enables them, with \`pinakes setup CLIENT --allow-writes\` or \`PINAKES_SERVE_WRITE_TOOLS=true\`. There is one prompt,
\`add-documentation\`, and pages are resources: \`pinakes://page/{source}/{+url}\`.`,
    table(['tool', 'title', 'available'], rows),
    ...MCP_TOOLS.map(({ action, binding }) => {
      const fields = fieldRows(action.input, Object.keys(binding.fixedInput ?? {}));
      const about = `## ${action.name}\n\n${binding.description}`;
      if (fields.length === 0) return `${about} No input.`;
      const listed = binding.listedInputs?.map((name) => `\`${name}\``).join(', ');
      const others =
        listed === undefined
          ? ''
          : `\n\nThe tool lists ${listed}. The others go into \`settings\`, as in \`["maxDepth=2"]\`.`;
      return `${about}\n\n${table(FIELD_HEAD, fields)}${others}`;
    }),
  );
}

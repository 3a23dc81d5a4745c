// docs/reference/actions.md: everything a user can do, and by which doors.

import type { McpDoor } from '../../src/actions/action.ts';
import { actions } from '../../src/actions/actions.ts';
import { doorsOf } from '../../src/serve/cli/action-command.ts';
import { httpRoutes } from '../../src/serve/http/http-routes.ts';
import { FIELD_HEAD, fieldRows } from './field-rows.ts';
import { inCode, page, table } from './markdown.ts';

export function actionsPage(): string {
  const rows = actions.map((action) => [
    `[${inCode(action.name)}](#${action.name})`,
    action.summary,
    action.effect,
    doorsOf(action)
      .map(({ command }) => inCode(`pinakes ${command}`))
      .join(', '),
    routesOf(action.name).join(', '),
    offered(action.doors.mcp),
  ]);
  return page(
    'Actions',
    `An action is declared once. The command line, HTTP and MCP are rendered from the same declaration, so a name and an
input mean the same at every door. \`read\` changes nothing, \`write\` changes the library, \`admin\` concerns the whole
installation. What has no route concerns the disk of whoever asks, and only the command line does it.`,
    table(['action', 'what it does', 'effect', 'command line', 'HTTP', 'MCP tool'], rows),
    ...actions.map((action) => {
      const fields = fieldRows(action.input);
      const about = `## ${action.name}\n\n${action.summary}.`;
      return fields.length === 0 ? `${about} It takes no input.` : `${about}\n\n${table(FIELD_HEAD, fields)}`;
    }),
  );
}

function routesOf(name: string): string[] {
  const routes = httpRoutes.filter(({ action }) => action.name === name);
  return routes.map(({ door }) => inCode(`${door.method} /api${door.path}`));
}

function offered(door: McpDoor | undefined): string {
  if (door === undefined) return '';
  return door.tools === 'default' ? 'yes' : 'opt-in';
}

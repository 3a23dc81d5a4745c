// docs/reference/actions.md: everything a user can do, and over which interfaces.

import type { Action, McpBinding } from '../../src/actions/action.ts';
import { actionList } from '../../src/actions/actions.ts';
import { cliBindings } from '../../src/serve/cli/action-command.ts';
import { httpRoutes } from '../../src/serve/http/http-routes.ts';
import { FIELD_HEAD, fieldRows, RESULT_HEAD, resultRows } from './field-rows.ts';
import { inCode, page, table } from './markdown.ts';

const EFFECTS: Readonly<Record<Action['effect'], string>> = {
  read: 'changes nothing',
  network: 'changes nothing and requests pages',
  write: 'changes the library',
  admin: 'affects the whole installation',
};

export function actionsPage(): string {
  const effects = Object.entries(EFFECTS).map(([effect, what]) => `\`${effect}\` ${what}`);
  const rows = actionList.map((action) => [
    `[${inCode(action.name)}](#${action.name})`,
    action.summary,
    action.effect,
    cliBindings(action)
      .map(({ command }) => inCode(`pinakes ${command}`))
      .join(', '),
    routesOf(action.name).join(', '),
    availability(action.bindings.mcp),
  ]);
  return page(
    'Actions',
    `An action is declared once. The command line, HTTP and MCP are generated from the same declaration, so a name and an
input mean the same on every interface. ${effects.join(', ')}. An action without a route uses the local disk, and is available on the command line only.`,
    table(['action', 'description', 'effect', 'command line', 'HTTP', 'MCP tool'], rows),
    ...actionList.map((action) => {
      const fields = fieldRows(action.input);
      const about = `## ${action.name}\n\n${action.summary}.`;
      const input = fields.length === 0 ? `${about} No input.` : `${about}\n\n${table(FIELD_HEAD, fields)}`;
      return `${input}\n\n${table(RESULT_HEAD, resultRows(action.output))}`;
    }),
  );
}

function routesOf(name: string): string[] {
  const routes = httpRoutes.filter(({ action }) => action.name === name);
  return routes.map(({ binding }) => inCode(`${binding.method} /api${binding.path}`));
}

function availability(binding: McpBinding | undefined): string {
  if (binding === undefined) return '';
  return binding.tools === 'default' ? 'yes' : 'opt-in';
}

// docs/reference/http.md: the routes under /api, from the same document that a server gives to programs.

import { httpRoutes, pathInputs } from '../../src/serve/http/http-routes.ts';
import { FIELD_HEAD, fieldRows } from './field-rows.ts';
import { page, table } from './markdown.ts';

const OTHERS: ReadonlyArray<readonly [string, string]> = [
  ['`GET /api/openapi.json`', 'This API as an OpenAPI 3.1 document; the site has it as `/openapi.json`'],
  ['`GET /events`', 'The stream of [events](events.md)'],
  ['`POST /events/ticket`', 'A ticket for one stream, for browsers, which cannot send a header with it'],
  ['`POST /mcp`', 'MCP over HTTP; see [MCP](mcp.md)'],
  ['`GET /healthz`', 'The process answers'],
  ['`GET /readyz`', 'The database answers and somebody works on the runs; else 503'],
  ['`GET /metrics`', 'Figures for Prometheus'],
  ['`GET /`', 'The [dashboard](../dashboard.md)'],
];

export function httpPage(): string {
  return page(
    'HTTP',
    `\`pinakes serve\` answers at \`http://127.0.0.1:7465\` unless set otherwise. An input that stands in braces is part of the
path; the others are in the query of a \`GET\` or \`DELETE\`, and in the JSON body of a \`POST\`. With a token every request
carries \`Authorization: Bearer TOKEN\`. A failure has the form
\`{ "error": { "code", "message", "nextStep", "requestId" } }\` with a code of the [errors](errors.md). Each answer has an
\`x-request-id\`, by which the log of the server finds it.`,
    table(['route', 'what it is'], OTHERS),
    ...httpRoutes.map(({ action, door }) => {
      const inPath = pathInputs(door);
      const fields = fieldRows(action.input, Object.keys(door.says ?? {})).map(([name = '', ...rest]) => [
        inPath.includes(name.slice(1, -1)) ? `${name} (path)` : name,
        ...rest,
      ]);
      const about = `## ${door.method} /api${door.path}\n\n${action.summary}. Action \`${action.name}\`, effect \`${action.effect}\`.`;
      return fields.length === 0 ? about : `${about}\n\n${table(FIELD_HEAD, fields)}`;
    }),
  );
}

// docs/reference/http.md: the routes under /api, from the declarations behind the OpenAPI document.

import { httpRoutes, pathInputs } from '../../src/serve/http/http-routes.ts';
import { FIELD_HEAD, fieldRows } from './field-rows.ts';
import { page, table } from './markdown.ts';

const OTHERS: ReadonlyArray<readonly [string, string]> = [
  ['`GET /api/openapi.json`', 'This API as an OpenAPI 3.1 document; the site serves it as `/openapi.json`'],
  ['`GET /events`', 'The [event](events.md) stream'],
  [
    '`GET /api/changes/stream`',
    'Changes as server-sent events, with the inputs of `GET /api/changes`; the id of a frame is its position',
  ],
  ['`POST /events/ticket`', 'A one-time ticket for a stream, for browsers, which cannot send a header with it'],
  ['`POST /mcp`', 'MCP over HTTP; see [MCP](mcp.md)'],
  ['`GET /healthz`', 'The process responds'],
  ['`GET /readyz`', 'The database responds and runs have a worker; otherwise 503'],
  [
    '`GET /api/activity`, `GET /health`',
    'Running and paused runs, URLs in their queues, and when a run last made progress; at `/health` a browser gets the dashboard',
  ],
  ['`GET /metrics`', '[Metrics](../guides/operating.md#metrics) for Prometheus'],
  [
    '`GET /queues/ssr`, `/queues/latest`, `/queues/{run}/ssr`, `/problems/ssr`, `/milestones/ssr`, `/analysis/ssr`, `/analysis/{id}/ssr`, `/gazetteer`',
    'The same lists as pages that need no JavaScript, with filters and links to newer and older ones',
  ],
  ['`GET /session`', 'Who the caller is, and where a person signs in'],
  ['`DELETE /session`', 'Signs out: ends the session of this browser'],
  ['`GET /sign-in`, `/sign-in/callback`', 'Sign-in to the dashboard with the issuer; `to` is the view to return to'],
  ['`GET /`', 'The [dashboard](../dashboard.md)'],
];

export function httpPage(): string {
  return page(
    'HTTP',
    `\`pinakes serve\` listens on \`http://127.0.0.1:7465\` by default. An input in braces is part of the
path; the others are in the query of a \`GET\` or \`DELETE\`, and in the JSON body of a \`POST\` or \`PATCH\`. If tokens are used, every request
carries \`Authorization: Bearer TOKEN\`. An error has the form
\`{ "error": { "code", "message", "nextStep", "details", "requestId" } }\` with a code from the [error catalogue](errors.md). Each response has an
\`x-request-id\`, which also appears in the server's log. What creates something responds with 201, and what only starts work with 202.
Pages of other origins may call the API if \`serve.allowedOrigins\` names them.`,
    table(['route', 'description'], OTHERS),
    ...httpRoutes.map(({ action, binding }) => {
      const inPath = pathInputs(binding);
      const fields = fieldRows(action.input, Object.keys(binding.fixedInput ?? {})).map(([name = '', ...rest]) => [
        inPath.includes(name.slice(1, -1)) ? `${name} (path)` : name,
        ...rest,
      ]);
      const about = `## ${binding.method} /api${binding.path}\n\n${action.summary}. Action \`${action.name}\`, effect \`${action.effect}\`.`;
      return fields.length === 0 ? about : `${about}\n\n${table(FIELD_HEAD, fields)}`;
    }),
  );
}

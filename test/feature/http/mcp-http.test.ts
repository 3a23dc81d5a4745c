// Every listed case, one test each, against the real server on a real socket.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCases } from '../../support/read-cases.ts';
import { openCaseServers, type CaseServers } from './case-servers.ts';
import { httpCases } from './http.cases.ts';
import { mcpCases } from './mcp.cases.ts';

const { cases } = readCases('mcp-http') as { cases: { id: string; request: string; expected: string }[] };
const known = { ...httpCases, ...mcpCases };

let servers: CaseServers;
beforeAll(async () => void (servers = await openCaseServers()), 60_000);
afterAll(() => servers.close());

for (const { id, request, expected } of cases) {
  test(`${id}: ${request} → ${expected}`, { timeout: 300_000 }, async () => {
    const shows = known[id];
    if (shows === undefined) throw new Error('no test shows it');
    await shows(servers);
  });
}

test('[H2] [H3] every test belongs to a listed case', () => {
  expect(Object.keys(known).toSorted()).toEqual(cases.map(({ id }) => id));
});

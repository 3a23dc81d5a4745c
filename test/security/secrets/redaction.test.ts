// Every listed case about secrets in output. Most are also tested next to the code; here each has its name.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/platform/config/load-config.ts';
import { printConfig } from '../../../src/platform/config/print-config.ts';
import { createLog } from '../../../src/platform/log.ts';
import { createRedactor, redactText } from '../../../src/platform/redact.ts';
import { run } from '../../support/program.ts';
import { sendLegacy } from '../../support/mcp-client.ts';
import { readCases } from '../../support/read-cases.ts';
import { startTestServer } from '../../support/test-server.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const { cases } = readCases('redaction') as { cases: { id: string; input: string; expected: string }[] };
const inputOf = (id: string): string => cases.find((one) => one.id === id)?.input ?? '';
const CANARY = 'canary-Zq7';
// Assembled here, so that no secret scanner takes them for real ones.
const keyLike = (start: string): string => start + 'Zz0'.repeat(12);

function logged(fields: Record<string, unknown>, secrets: readonly string[] = []): string {
  let text = '';
  const redact = createRedactor(secrets);
  createLog({ level: 'debug', now: () => new Date(0), write: (line) => void (text += line), redact }).error(
    'it',
    fields,
  );
  return text;
}

/** Neither as a message nor inside an error. */
function neverLogs(text: string, secret: string): void {
  for (const fields of [
    { text },
    { error: new Error(text) },
    { error: new Error('outer', { cause: new Error(text) }) },
  ])
    expect(logged(fields)).not.toContain(secret);
}

const shows: Readonly<Record<string, () => void | Promise<void>>> = {
  'red-01': () => expect(redactText(inputOf('red-01'))).toBe('Authorization: Bearer [redacted]'),
  'red-02': () => neverLogs(inputOf('red-02'), 'dXNlcjpwYXNz'),
  'red-03': () => expect(redactText(inputOf('red-03'))).toBe('Cookie: [redacted]'),
  'red-04': () => neverLogs(inputOf('red-04'), 'sid=abc'),
  'red-05': () => expect(redactText('X-Api-Key: k9')).toBe('X-Api-Key: [redacted]'),
  'red-06': () => expect(redactText(inputOf('red-06'))).toBe('postgres://u:[redacted]@h/db'),
  'red-07': () => expect(redactText(inputOf('red-07'))).toBe('https://[redacted]@host/x'),
  'red-08': () => {
    const gone = redactText(inputOf('red-08'));
    for (const name of ['token', 'access_token', 'api_key', 'sig', 'X-Amz-Signature', 'code'])
      expect(gone).toContain(`${name}=[redacted]`);
  },
  'red-09': () => {
    for (const start of ['sk-', 'sk-ant-', 'ghp_', 'github_pat_', 'glpat-', 'xoxb-', 'AKIA', 'AIza', 'npm_', 'pnk_'])
      expect(redactText(`a ${keyLike(start)} b`), start).toBe('a [redacted] b');
  },
  'red-10': () => {
    const pem = ['-----BEGIN', 'PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----'].join(' ');
    expect(redactText(pem)).toBe('[redacted]');
  },
  'red-11': () => expect(logged({ env: { HOME: CANARY } })).not.toContain(CANARY),
  'red-12': () => {
    const cause = Object.assign(new Error('inner'), { request: { headers: { authorization: CANARY } } });
    expect(logged({ error: new Error('outer', { cause }) })).not.toContain(CANARY);
  },
  'red-13': async () => {
    const server = await startTestServer();
    const body = JSON.stringify({ url: 5, note: CANARY });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${server.url}/api/preview`, { method: 'POST', headers, body });
    expect(answer.status).toBe(400);
    await sendLegacy(server.url, 'tools/call', { name: 'search_docs', arguments: { query: CANARY, limit: -1 } });
    expect(server.log.length).toBeGreaterThan(0);
    expect(server.log.join('')).not.toContain(CANARY);
    await server.stop();
  },
  'red-14': async () => {
    const server = await startTestServer({}, async (library) => {
      const failed = library.call('preview_page', { url: `data:text/html,${CANARY}` });
      await expect(failed).rejects.toThrow();
    });
    expect(server.log.join('')).not.toContain(CANARY);
    await server.stop();
  },
  'red-15': () => {
    const error = Object.assign(new Error('duplicate key'), { detail: `Key (token)=(${CANARY}) already exists` });
    expect(logged({ error })).not.toContain(CANARY);
  },
  'red-16': () => {
    const halves = [CANARY.slice(0, 5), CANARY.slice(5)];
    expect(logged({ text: `${halves[0]}${halves[1]}` }, [CANARY])).not.toContain(CANARY);
  },
  'red-17': () => expect(redactText(`%73k-${'Zz0'.repeat(10)}`)).toBe('[redacted]'),
  'red-18': () => {
    const bytes = Buffer.from(CANARY);
    for (const spelling of [CANARY, encodeURIComponent(CANARY), bytes.toString('base64'), bytes.toString('hex')])
      expect(logged({ text: `x ${spelling} y` }, [CANARY])).not.toContain(spelling.replace(/=+$/, ''));
  },
  'red-19': () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const started = [
      ...['main', 'program'].map((name) => readFileSync(`src/${name}.ts`, 'utf8')),
      ...Object.values(scripts),
    ].join('\n');
    expect(started).not.toMatch(/heapsnapshot|report-on|abort-on-uncaught|writeSnapshot/);
    expect(readFileSync('SECURITY.md', 'utf8')).toMatch(/core dump/i);
  },
  'red-20': () => {
    const env = { PINAKES_DATABASE_URL: `postgres://u:${CANARY}@h/db` };
    const printed = JSON.stringify(printConfig(loadConfig({ env, cwd: '/', readFile: () => null })));
    expect(printed).toContain('postgres://u:[redacted]@h/db');
    expect(printed).not.toContain(CANARY);
  },
  'red-21': async () => {
    const help = await run({ PINAKES_DATA_DIR: temporaryDirectory() }, ['mcp', '--help']);
    expect(help.stdout).toContain('PINAKES_TOKEN');
    expect(help.stdout).not.toMatch(/--token/);
    const other = await run({ PINAKES_DATA_DIR: temporaryDirectory() }, ['mcp', '--token', CANARY]);
    expect(other.code).toBe(2);
  },
  'red-22': () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(
      Object.keys(dependencies).filter((name) => /telemetry|sentry|analytics|posthog|segment|datadog/.test(name)),
    ).toEqual([]);
  },
};

describe('output contains no secret', () => {
  for (const { id, input } of cases) {
    test(`${id}: ${input.slice(0, 60)}`, { timeout: 60_000 }, async () => {
      const show = shows[id];
      if (show === undefined) throw new Error('no test shows it');
      await show();
    });
  }
});

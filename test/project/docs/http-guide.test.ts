// The commands of "HTTP in five minutes", typed by a shell: against a real server and a real site, whose addresses replace the
// examples.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DocSite } from '../../support/scripted-site.ts';
import { serveQuickStartSite } from '../../support/static-sites.ts';
import { readProject } from '../../support/project-files.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { readSnippets } from '../../support/read-snippets.ts';

const PAGE = 'docs/guides/http.md';
const snippets = readSnippets(PAGE, readProject(PAGE));
let server: TestServer;
let site: DocSite;

beforeAll(async () => {
  site = await serveQuickStartSite();
  server = await startTestServer();
}, 60_000);

afterAll(async () => {
  await server?.stop();
  await site?.close();
});

/** The command that contains the words, as typed. */
async function type(words: string): Promise<unknown> {
  const command = snippets.find(({ language, text }) => language === 'sh' && text.includes(words))?.text;
  if (command === undefined) throw new Error(`${PAGE} has no command with ${words}`);
  const origin = `http://127.0.0.1:${site.port}/`;
  const typed = command
    .replace('http://127.0.0.1:7465', server.url)
    .replace('https://docs.example.dev/', origin)
    .replace(encodeURIComponent('https://docs.example.dev/'), encodeURIComponent(origin));
  const { stdout } = await promisify(execFile)('sh', ['-c', `${typed.trim()} --silent`]);
  return JSON.parse(stdout);
}

/** Whether the example is a part of the response; texts may differ. */
function hasFields(actual: unknown, example: unknown): boolean {
  if (Array.isArray(example)) return Array.isArray(actual) && example.every((one, i) => hasFields(actual[i], one));
  if (typeof example !== 'object' || example === null) return typeof actual === typeof example;
  return Object.entries(example).every(([name, value]) => hasFields((actual as Record<string, unknown>)[name], value));
}

const examples = snippets.filter(({ language }) => language === 'json').map(({ text }) => JSON.parse(text) as unknown);

test('[H1] its commands add documentation, find a passage and read its page', async () => {
  expect(await type('/api/sources\n')).toMatchObject({ source: 'docs' });
  await waitUntil('the pages can be searched', async () => {
    const { passages } = (await type('/api/search')) as { passages: readonly { readonly url: string }[] };
    return passages[0]?.url.endsWith('/timeouts#set') === true;
  });
  const answer = await type('/api/search');
  expect(hasFields(answer, examples[0])).toBe(true);
  expect(hasFields(answer, { passages: [{ nothing: '' }] })).toBe(false);
  expect(await type('/api/pages/')).toMatchObject({ title: 'Timeouts' });
});

test('[H1] an error has the form that it shows', async () => {
  const response = await fetch(`${server.url}/api/sources/doc/pages`);
  expect(await response.json()).toMatchObject(examples[1] as object);
});

// npm run test:integrations: the programs of the guides for LangChain, LlamaIndex and the AI SDK, compiled and run in an empty project
// that has the packed program and the real packages.

import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDocSite } from '../support/static-sites.ts';
import {
  compilePrograms,
  documentedPrograms,
  runProgram,
  withAddresses,
} from '../project/npm-package/documented-programs.ts';
import { installOnce } from '../support/packed-package.ts';
import { temporaryDirectory } from '../support/temporary-folder.ts';
import { startCrawl4AiServer } from '../support/crawl4ai-server.ts';
import { writeResult } from '../support/write-result.ts';

const PACKAGES = ['@langchain/core@1.2.13', '@llamaindex/core@0.6.22', 'ai@7.0.169', '@ai-sdk/provider@4.0.37'];
const folder = temporaryDirectory();
let home = '';
const results: Record<string, unknown> = { packages: PACKAGES };

beforeAll(() => {
  home = installOnce(folder);
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES], {
    cwd: home,
    stdio: 'ignore',
  });
}, 600_000);
afterAll(() => {
  rmSync(folder, { recursive: true });
  writeResult('integrations', results);
});

const programsOf = (guide: string): string[] => [...documentedPrograms(`docs/guides/${guide}.md`).values()];

/** The frameworks' own declarations do not compile on their own, so only ours and the program are checked. */
test.each(['langchain', 'llamaindex', 'ai-sdk'])('[K2] the programs of docs/guides/%s.md compile', (guide) => {
  const programs = programsOf(guide);
  expect(compilePrograms(home, guide, programs, { resolution: 'nodenext', trustsPackages: true })).toBe('');
  expect(programs.length).toBeGreaterThan(0);
});

test('[K2] the programs for LangChain and LlamaIndex run, and end by themselves', async () => {
  const site = await createDocSite();
  const server = await startCrawl4AiServer({ format: 'urls' });
  try {
    const [langchain = ''] = programsOf('langchain');
    const [llamaindex = '', crawl4ai = ''] = programsOf('llamaindex');
    for (const [name, text] of Object.entries({ langchain, llamaindex })) {
      const open = withAddresses(text, { site: site.url, server: '' }).replace('./library', `./library-${name}`);
      const { code, stdout, stderr } = await runProgram(home, open);
      expect(code, `${name}: ${stderr}`).toBe(0);
      expect(stdout, name).toMatch(/Pool[^]*Retries[^]*timeoutMs/);
      results[name] = 'ran';
    }
    const text = crawl4ai
      .replace('http://localhost:52004', server.url)
      .replaceAll('https://docs.example.dev/', 'https://8.8.8.8/');
    const { code, stdout, stderr } = await runProgram(home, text);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('Title of https://8.8.8.8/pool');
    results['crawl4ai-reader'] = 'ran';
  } finally {
    await server.close();
    await site.close();
  }
});

/** A model that searches, then reads, then answers with what it was given. */
const PROMPT = `
import { openLibrary } from 'pinakes';
import { MockLanguageModelV4 } from 'ai/test';
import { ask } from './program.ts';

const library = await openLibrary({ dataDir: './library', SETTINGS });
await (await library.add({ url: 'SITE', name: 'asked' })).done();
await library.work();
await library.close();

const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
const call = (toolName: string, input: object) => ({
  content: [{ type: 'tool-call' as const, toolCallId: toolName, toolName, input: JSON.stringify(input) }],
  finishReason: { unified: 'tool-calls' as const, raw: undefined },
  usage,
  warnings: [],
});
let step = 0;
const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt, tools }) => {
    step += 1;
    if (step === 1) return call('search_docs', { query: 'set a timeout' });
    if (step === 2) return call('read_docs', { target: 'SITEpool' });
    const text = JSON.stringify({ tools: tools?.map(({ name }) => name), prompt });
    return { content: [{ type: 'text', text }], finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [] };
  },
});
console.log(await ask(model, 'How do I set a timeout?'));
`;

test('[K2] a model of the AI SDK searches and reads with the tools', async () => {
  const site = await createDocSite();
  try {
    const [program = ''] = programsOf('ai-sdk');
    const settings =
      "settings: { fetch: { allowCidrs: ['127.0.0.0/8'], allowPorts: ['1024-65535'] }, crawl: { startDelayMs: 0 } }";
    const main = PROMPT.replace('SETTINGS', settings).replaceAll('SITE', site.url);
    const { code, stdout, stderr } = await runProgram(home, program, { 'ask.ts': main }, 'ask.ts');
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('"tools":["search_docs","read_docs"]');
    expect(stdout).toContain('pass timeoutMs');
    results['ai-sdk'] = 'ran';
  } finally {
    await site.close();
  }
});

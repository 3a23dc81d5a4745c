// Core produces byte-identical outputs in every supported version of Node and in a browser.

import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../src/core/model/hash.ts';
import { fetchNode } from '../../support/fetch-node.ts';
import { collectInputs } from './collect-inputs.ts';
import type { EngineInputs, EngineOutput } from './engine-inputs.ts';
import { runInChromium, type ChromiumReport } from './run-in-chromium.ts';
import { LINUX_X64 } from '../../support/needs.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const IN_NODE = new URL('./node-entry.ts', import.meta.url);
const GOLDEN = join(import.meta.dirname, '../../data/golden');
const folder = temporaryDirectory();
/** On a busy machine this takes minutes instead of seconds. */
const TIMEOUT_MS = 300_000;
let inputs: EngineInputs;
let here: readonly EngineOutput[];

beforeAll(async () => {
  inputs = await collectInputs();
  writeFileSync(join(folder, 'inputs.json'), JSON.stringify(inputs));
  here = await runInNode(process.execPath, 'here');
}, TIMEOUT_MS);
afterAll(() => rmSync(folder, { recursive: true }));

async function runInNode(program: string, name: string): Promise<readonly EngineOutput[]> {
  const [from, to] = [join(folder, 'inputs.json'), join(folder, `${name}.json`)];
  await promisify(execFile)(program, [fileURLToPath(IN_NODE), from, to]);
  return JSON.parse(readFileSync(to, 'utf8')) as readonly EngineOutput[];
}

const hashOf = (outputs: readonly EngineOutput[]): string => sha256Hex(JSON.stringify(outputs));

/** Names first: they say more than two hashes. */
function expectSame(outputs: readonly EngineOutput[]): void {
  expect(differing(outputs)).toEqual([]);
  expect(hashOf(outputs)).toBe(hashOf(here));
}

function differing(outputs: readonly EngineOutput[]): string[] {
  return here.flatMap(({ name, files }, at) =>
    Object.keys(files)
      .filter((file) => outputs[at]?.files[file] !== files[file])
      .map((file) => `${name}: ${file}`),
  );
}

/** The golden file of an output; null for outputs without one. */
function goldenFile(name: string, file: string): string | null {
  const [kind, ...rest] = name.split('/');
  if (kind === 'extract' && file.startsWith('output.')) return join(GOLDEN, name, file);
  if (kind === 'extract-html' && file === 'output.md') return join(GOLDEN, `${name}.md`);
  if (kind === 'discover' && file === 'expected.json') return join(GOLDEN, name, file);
  if (kind === 'chunk' && file === 'chunks') return join(GOLDEN, kind, `${rest.join('/')}.chunks`);
  return null;
}

test('the compared outputs match the golden files', () => {
  const texts = here.flatMap(({ name, files }) =>
    Object.entries(files).map(([file, text]) => ({ golden: goldenFile(name, file), name, text })),
  );
  const golden = texts.flatMap(({ golden: file, ...rest }) => (file === null ? [] : [{ file, ...rest }]));
  expect(golden.filter(({ file, text }) => readFileSync(file, 'utf8') !== text).map(({ name }) => name)).toEqual([]);
  const kinds = new Set(golden.map(({ name }) => name.split('/')[0]));
  expect(kinds).toEqual(new Set(['extract', 'extract-html', 'discover', 'chunk']));
});

test('an index does not depend on the order of the chunks', () => {
  const library = here.find(({ name }) => name === 'lexical')?.files;
  expect(library?.['index.json']).toBe(library?.['index-from-last.json']);
  const hits = JSON.parse(library?.['hits.json'] ?? '[]') as ReadonlyArray<{ readonly hits: readonly unknown[] }>;
  expect(hits.filter((found) => found.hits.length > 0).length).toBeGreaterThan(3);
});

test('a hash detects one changed character', () => {
  const [first, ...others] = here;
  const changed = [{ name: first!.name, files: { ...first!.files, 'output.md': 'x' } }, ...others];
  expect(differing(changed)).toEqual([`${first!.name}: output.md`]);
  expect(hashOf(changed)).not.toBe(hashOf(here));
});

const NODE = { ...LINUX_X64, timeout: TIMEOUT_MS, concurrent: true };

test.each(['22.23.3', '26.10.0'])('Node %s', NODE, async (version) => {
  const program = await fetchNode(version, folder);
  const { stdout } = await promisify(execFile)(program, ['--version']);
  expect(stdout.trim()).toBe(`v${version}`);
  expectSame(await runInNode(program, version));
});

describe('Chromium', () => {
  let report: ChromiumReport;
  beforeAll(async () => {
    report = await runInChromium(inputs);
  }, TIMEOUT_MS);

  test('produces the same outputs, including those of the grammars', () => {
    expect(report.error).toBeNull();
    expectSame(report.outputs);
    const code = report.outputs.find(({ name }) => name === 'code/typescript')?.files['chunks'];
    expect(code).toContain('"symbol":"Queue, Queue.add, Queue.drain"');
  });

  test('runs core in a page that can neither eval nor connect', () => {
    expect(report).toMatchObject({ violations: [], request: 'refused', eval: 'refused' });
    expect(report.requests).toEqual(['/', '/inputs.js', '/core.js']);
  });
});

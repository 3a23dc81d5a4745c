import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createBoundedLookup } from './bounded-lookup.ts';
import { LINUX } from '../../../test/support/needs.ts';
import { temporaryDirectory } from '../../../test/support/temporary-folder.ts';

const ADDRESS = ['93.184.215.14'];

function counting(answers: Readonly<Record<string, () => Promise<readonly string[]>>>) {
  const requested: string[] = [];
  let nowMs = 0;
  const resolve = createBoundedLookup({
    getAddrInfo(name) {
      requested.push(name);
      return (answers[name] ?? (async () => ADDRESS))();
    },
    async query(name) {
      requested.push(`query ${name}`);
      return ADDRESS;
    },
    nowMs: () => nowMs,
  });
  return { resolve, requested, pass: (ms: number) => (nowMs += ms) };
}

test('one name is looked up once, however many ask, and again when the result is old', async () => {
  const { resolve, requested, pass } = counting({});
  expect(await Promise.all([resolve('a.test'), resolve('a.test')])).toEqual([ADDRESS, ADDRESS]);
  pass(29_000);
  await resolve('a.test');
  expect(requested).toEqual(['a.test']);
  pass(2000);
  await resolve('a.test');
  expect(requested).toEqual(['a.test', 'a.test']);
});

test('a name that took long to fail is left alone for longer', async () => {
  const dead = counting({
    'dead.test': async () => {
      dead.pass(20_000);
      throw Object.assign(new Error('again'), { code: 'EAI_AGAIN' });
    },
  });
  await expect(dead.resolve('dead.test')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  dead.pass(79_000);
  await expect(dead.resolve('dead.test')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  expect(dead.requested).toEqual(['dead.test']);
  dead.pass(2000);
  await expect(dead.resolve('dead.test')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  expect(dead.requested).toEqual(['dead.test', 'dead.test']);
});

test('while a name keeps the thread, other names are asked of the servers, and bare names wait for their turn', async () => {
  const held = Promise.withResolvers<readonly string[]>();
  const { resolve, requested, pass } = counting({ 'slow.test': () => held.promise });
  const slow = resolve('slow.test');
  pass(300);
  expect(await resolve('fine.test')).toEqual(ADDRESS);
  const bare = resolve('wiki');
  expect(requested).toEqual(['slow.test', 'query fine.test']);
  held.resolve(ADDRESS);
  expect(await Promise.all([slow, bare])).toEqual([ADDRESS, ADDRESS]);
  expect(requested).toEqual(['slow.test', 'query fine.test', 'wiki']);
});

test(
  'names that are never answered do not stop files and decompression (finding B25) (finding N28)',
  LINUX,
  async () => {
    const folder = temporaryDirectory();
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    // Opening a pipe that nobody writes to blocks a thread of the pool, as the system resolver does.
    const blocked: Promise<{ close(): Promise<void> }>[] = [];
    const resolve = createBoundedLookup({
      async getAddrInfo() {
        const opening = open(pipe);
        blocked.push(opening);
        await opening;
        return ADDRESS;
      },
      query: async () => ADDRESS,
      nowMs: () => performance.now(),
    });
    const dead = Array.from({ length: 16 }, (_, nth) => resolve(`dead-${nth}.test`));
    expect(await Promise.all(dead.slice(1))).toHaveLength(15);
    expect(String(await promisify(gunzip)(gzipSync('still here')))).toBe('still here');
    expect(await readFile(import.meta.filename, 'utf8')).toContain('still here');
    expect(blocked).toHaveLength(1);
    const writer = openSync(pipe, 'w');
    expect(await dead[0]).toEqual(ADDRESS);
    closeSync(writer);
    await Promise.all(blocked.map(async (opening) => (await opening).close()));
    rmSync(folder, { recursive: true });
  },
);

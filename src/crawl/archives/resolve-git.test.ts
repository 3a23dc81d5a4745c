import { expect, test } from 'vitest';
import { parseGitReference } from '../../core/archives/git-reference.ts';
import { pageUrl } from '../../core/model/page-url.ts';
import type { ArchiveFetch, FileOptions } from './archive-fetch.ts';
import { MAX_REFS_BYTES, resolveGit } from './resolve-git.ts';

const [A, B] = ['a'.repeat(40), 'b'.repeat(40)] as const;

function line(text: string): string {
  return `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;
}

function listOf(refs: Readonly<Record<string, string>>): Uint8Array {
  const lines = Object.entries(refs).map(([name, id]) => line(`${id} ${name}\n`));
  return new TextEncoder().encode([line('# service=git-upload-pack\n'), '0000', ...lines, '0000'].join(''));
}

/** Cut in the middle of its last ref, whose name so far is that of another one. */
function cut(body: Uint8Array): Uint8Array {
  return body.subarray(0, body.length - '0000\n'.length - 1);
}

function fetchOf(body: Uint8Array, isCut: boolean, requested: FileOptions[] = []): ArchiveFetch {
  return async (_, options) => {
    requested.push(options);
    return { kind: 'file', url: pageUrl('https://forge.test/refs'), body, isCut };
  };
}

const resolve = (ref: string, body: Uint8Array, isCut: boolean) =>
  resolveGit(parseGitReference(`git+https://forge.test/o/r${ref}`), fetchOf(body, isCut));

test('a list of refs is read up to a limit, and its first ref is known whatever follows', async () => {
  const requested: FileOptions[] = [];
  const body = cut(listOf({ HEAD: A, 'refs/heads/main': A, 'refs/tags/v1': B }));
  const reference = parseGitReference('git+https://forge.test/o/r');
  expect(await resolveGit(reference, fetchOf(body, true, requested))).toEqual({ kind: 'branch', id: A });
  expect(requested).toEqual([{ name: 'https://forge.test/o/r', maxBytes: MAX_REFS_BYTES, mayBeCut: true }]);
});

test('a name is not taken for a ref whose line or tag may have been cut off', async () => {
  const body = listOf({ HEAD: A, 'refs/heads/main': A, 'refs/tags/v1': B, 'refs/tags/v10': B });
  expect(await resolve('#main', body, false)).toEqual({ kind: 'branch', id: A });
  expect(await resolve('#v1', cut(body), true)).toEqual({ kind: 'tag', id: B });
  for (const ref of ['#main', '#v10'])
    await expect(resolve(ref, cut(body), true)).rejects.toMatchObject({
      code: 'git.unreachable',
      details: { reason: expect.stringContaining('more than 16 MB of refs') as string },
    });
});

test('a list of millions of lines without a ref leaves the event loop to others', async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const empty = new TextEncoder().encode(`${line('# service=git-upload-pack\n')}${'0004'.repeat(200_000)}`);
  await expect(resolve('#v1', empty, false)).rejects.toMatchObject({ code: 'git.unknown-ref' });
  clearImmediate(timer);
  expect(turns).toBeGreaterThanOrEqual(10);
});

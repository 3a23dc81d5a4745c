import { chmodSync, linkSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { BLOCK_END, BLOCK_START } from '../../core/export/agents/marked-block.ts';
import { writeAgentsMd } from './write-agents-md.ts';
import { temporaryDirectory } from '../../../test/support/temporary-folder.ts';

const folder = temporaryDirectory();
afterAll(() => rmSync(folder, { recursive: true }));

const block = { text: `${BLOCK_START}\nsources\n${BLOCK_END}`, sources: 2 };
let files = 0;

function fileWith(content: string | Uint8Array): string {
  const file = join(folder, `AGENTS-${(files += 1)}.md`);
  writeFileSync(file, content);
  return file;
}

test('[E7] a file is created, then unchanged, and updated with its rights kept', async () => {
  const file = join(folder, 'AGENTS.md');
  expect(await writeAgentsMd(file, block)).toEqual({ file, sources: 2, outcome: 'created' });
  const { mtimeMs } = statSync(file);
  expect(await writeAgentsMd(file, block)).toMatchObject({ outcome: 'unchanged' });
  expect(statSync(file).mtimeMs).toBe(mtimeMs);
  chmodSync(file, 0o600);
  const more = { text: block.text.replace('sources', 'more sources'), sources: 3 };
  expect(await writeAgentsMd(file, more)).toMatchObject({ outcome: 'written' });
  expect(readFileSync(file, 'utf8')).toBe(`${more.text}\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('[E7] a file that must not be written stays as it is, and nothing is left beside it', async () => {
  const locked = fileWith('mine\n');
  chmodSync(locked, 0o444);
  const linked = join(folder, 'CLAUDE.md');
  symlinkSync(fileWith('linked\n'), linked);
  const latin1 = fileWith(Uint8Array.from([0x63, 0x61, 0x66, 0xe9, 0x0a]));
  const broken = fileWith(`${BLOCK_START}\nmine\n`);
  const cases: ReadonlyArray<readonly [file: string, why: string]> = [
    [locked, 'it is read-only'],
    [linked, 'it is a link'],
    [latin1, 'it is not UTF-8 text'],
    [folder, 'it is a folder'],
    [join(folder, 'none', 'AGENTS.md'), 'its folder does not exist'],
    [broken, 'the Pinakes block that begins in line 1 has no end'],
  ];
  const before = [locked, linked, latin1, broken].map((file) => readFileSync(file, 'latin1'));
  for (const [file, why] of cases) await expect(writeAgentsMd(file, block)).rejects.toThrow(new RegExp(`${why}$`));
  expect([locked, linked, latin1, broken].map((file) => readFileSync(file, 'latin1'))).toEqual(before);
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('[E7] another name of the file keeps the former text', async () => {
  const file = fileWith('mine\n');
  linkSync(file, `${file}.copy`);
  await writeAgentsMd(file, block);
  expect(readFileSync(`${file}.copy`, 'utf8')).toBe('mine\n');
});

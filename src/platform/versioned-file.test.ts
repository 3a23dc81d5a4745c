import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../test/support/temporary-folder.ts';
import { readVersioned } from './versioned-file.ts';

test('of processes that replace a file, each is told whether it was first', async () => {
  const shared = temporaryDirectory();
  const module = new URL('./versioned-file.ts', import.meta.url).href;
  const script = `
    import { readVersioned, replaceVersioned } from ${JSON.stringify(module)};
    for (let done = 0; done < 40; ) {
      const { version, text } = await readVersioned(process.argv[1], 'counter');
      if (await replaceVersioned(process.argv[1], 'counter', { version, text: String(Number(text ?? 0) + 1) })) done += 1;
    }`;
  const count = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, shared]);
  await Promise.all([count(), count(), count()]);
  expect(await readVersioned(shared, 'counter')).toEqual({ version: 120, text: '120' });
  expect(readdirSync(shared).length).toBeLessThanOrEqual(11);
});

// `pinakes demo`: a first answer from the guides in the package.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLibrary, type Library } from '../../support/library.ts';

let library: Library;
beforeAll(async () => void (library = await createLibrary('sqlite')));
afterAll(() => library.remove());

test('it answers from the guides, and the second time it indexes nothing', { timeout: 120_000 }, async () => {
  const { code, stdout } = await library.run('demo');
  expect(code).toBe(0);
  expect(stdout).toContain('pinakes-demo');
  expect(stdout).toContain('--project');
  expect(stdout).toContain('Next, in the folder of your project: pinakes sync');
  const runs = () => library.sql('select * from runs');
  const before = await runs();
  const again: { searched: readonly string[]; passages: readonly { readonly url: string }[] } = await library.json(
    'demo',
    'webhook',
    'secret',
  );
  expect(again.searched).toEqual(['pinakes-demo']);
  expect(again.passages[0]?.url).toMatch(/webhooks|changes/);
  expect(await runs()).toEqual(before);
});

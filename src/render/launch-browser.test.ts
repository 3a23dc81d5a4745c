import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { temporaryDirectory } from '../../test/support/temporary-folder.ts';
import { chromiumOf } from './launch-browser.ts';
import { execFileSync } from 'node:child_process';

const folder = temporaryDirectory();
afterAll(() => rmSync(folder, { recursive: true }));

const PROGRAM = `
import { mkdirSync, writeFileSync } from 'node:fs';
import { chromiumOf } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'launch-browser.ts')).href)};
const missing = await import('late-package').catch(({ code }) => code);
mkdirSync('node_modules/late-package');
const write = (name, text) => writeFileSync('node_modules/late-package/' + name, text);
write('package.json', JSON.stringify({ name: 'late-package', main: './index.js', exports: { import: './index.mjs' } }));
write('index.mjs', "import entry from './index.js'; export const chromium = entry.chromium; export default entry;");
write('index.js', "module.exports = Object.assign(Object.create(null), { ['chrom' + 'ium']: { launch: () => 1 } });");
console.log(missing, typeof chromiumOf(await import('late-package')).launch);
`;

test('a package that is installed while the program runs can be used (finding T11)', () => {
  mkdirSync(join(folder, 'node_modules'));
  writeFileSync(join(folder, 'program.mjs'), PROGRAM);
  const output = execFileSync(process.execPath, ['program.mjs'], { cwd: folder, encoding: 'utf8' });
  expect(output.trim()).toBe('ERR_MODULE_NOT_FOUND function');
});

test('a package without a browser asks for a restart (finding T11)', () => {
  expect(() => chromiumOf({ default: {} })).toThrow(expect.objectContaining({ code: 'render.unavailable' }));
});

// The hostile archives of the list, built here because they need a zip writer.

import { strToU8, zipSync, type Zippable } from 'fflate';
import { expect, test } from 'vitest';
import { readZip } from '../../../src/core/extract/archive/read-zip.ts';
import { hostileDocuments } from '../../support/build-document.ts';

const expectOf = (id: string) => hostileDocuments.find((document) => document.id === id)?.expect;

test(`zip-slip-export: ${expectOf('zip-slip-export')}`, () => {
  const names = ['../../x', '/abs', 'C:\\x', 'a/../../b'];
  const files: Zippable = Object.fromEntries(names.map((name) => [name, strToU8('x')]));
  files['link'] = [strToU8('/etc/passwd'), { os: 3, attrs: (0o120777 << 16) >>> 0 }];
  files['docs/fine.md'] = strToU8('fine');
  const items = [...readZip(zipSync(files), 'a.zip')];
  expect(items.flatMap((item) => (item.kind === 'refused' ? [item.name] : []))).toEqual([...names, 'link']);
  expect(items.flatMap((item) => (item.kind === 'file' ? [item.path] : []))).toEqual(['docs/fine.md']);
});

test(`zip-bomb-42: ${expectOf('zip-bomb-42')}`, () => {
  // Layers of zeros: the outer archive is harmless, and unpacking each layer stops at the ratio.
  const inner = zipSync({ 'zeros.bin': new Uint8Array(32 * 1024 * 1024) });
  const outer = zipSync(Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`${index}.zip`, inner])));
  const layers = [...readZip(outer, 'outer.zip')].flatMap((item) => (item.kind === 'file' ? [item.body] : []));
  expect(layers).toHaveLength(16);
  const started = process.memoryUsage.rss();
  for (const layer of layers) {
    expect(() => [...readZip(layer, 'inner.zip')]).toThrow(expect.objectContaining({ code: 'archive.bomb' }));
  }
  expect((process.memoryUsage.rss() - started) / 1024 / 1024).toBeLessThan(256);
});

// Every case that the specification of Crawl4AIReader names is a test here, or has an answer.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ANSWERS, READER_CASES } from './reader-cases.table.ts';
import './reader-options.cases.ts';
import './reader-loading.cases.ts';
import './reader-integration.cases.ts';

test('each of the 74 named cases is a test of its name, or has an answer', () => {
  expect(new Set(READER_CASES).size).toBe(74);
  const files = ['options', 'loading', 'integration'].map(
    (name) => new URL(`reader-${name}.cases.ts`, import.meta.url),
  );
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  const tested = new Set(Array.from(text.matchAll(/^test[^']*'test_(\w+)'/gm), ([, name = '']) => name));
  expect(READER_CASES.filter((name) => !tested.has(name)).toSorted()).toEqual(Object.keys(ANSWERS).toSorted());
  expect([...tested].filter((name) => !READER_CASES.includes(name))).toEqual([]);
});

import { expect, test } from 'vitest';
import { textFingerprint } from '../analyse/text-fingerprint.ts';

const of = (text: string, title = 'T'): string => textFingerprint({ title, text });

test('pages that differ in their links alone have the same fingerprint', () => {
  expect(of('# Endless\n\nThe same text [a1](/x/a1) [b2](/x/b2)')).toBe(
    of('# Endless\n\nThe same text [c](/c) [d](/d)'),
  );
});

test('another text or another title gives another one', () => {
  expect(of('One text')).not.toBe(of('Another text'));
  expect(of('One text', 'A')).not.toBe(of('One text', 'B'));
  expect(of('an [open bracket')).not.toBe(of('an [other bracket'));
});

test('hostile text takes linear time', () => {
  const startedMs = performance.now();
  of('['.repeat(1_000_000));
  of('[]('.repeat(300_000));
  expect(performance.now() - startedMs).toBeLessThan(5000);
});

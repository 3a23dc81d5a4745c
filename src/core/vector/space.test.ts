import { expect, test } from 'vitest';
import { fingerprintOf, parseFingerprint, type SpaceSettings } from './space.ts';

const space: SpaceSettings = {
  model: 'a/b',
  revision: '1',
  dtype: 'q8',
  pooling: 'mean',
  queryPrefix: '',
  passagePrefix: '',
  textFormat: 1,
  maxTokens: 256,
  dimensions: 384,
};

test.each<Partial<SpaceSettings>>([
  { model: 'a/c' },
  { revision: '2' },
  { dtype: 'fp32' },
  { pooling: 'cls' },
  { queryPrefix: 'query: ' },
  { passagePrefix: 'passage: ' },
  { textFormat: 2 },
  { maxTokens: 512 },
  { dimensions: 256 },
])('a space that differs in %o has a different fingerprint', (change) => {
  expect(fingerprintOf({ ...space, ...change })).not.toBe(fingerprintOf(space));
});

test('no value can imitate another field', () => {
  expect(fingerprintOf({ ...space, model: 'a&revision=1', revision: '' })).not.toBe(
    fingerprintOf({ ...space, model: 'a', revision: '1' }),
  );
  expect(fingerprintOf({ ...space })).toBe(fingerprintOf(space));
});

test('a fingerprint encodes the settings of the model', () => {
  const settings = { model: 'a/b&c=1 +', queryPrefix: 'find: ', passagePrefix: 'p+q=%20', maxTokens: 128 };
  expect(parseFingerprint(fingerprintOf({ ...space, ...settings }))).toEqual(settings);
});

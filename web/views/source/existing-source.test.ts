import { expect, test } from 'vitest';
import type { SourceStats } from '../../api/responses.ts';
import { existingSource } from './existing-source.ts';

const START = 'https://docs.example.dev/';

test('a source that is there already is found by its name and by its start (finding T5.2)', () => {
  const sources = [{ source: 'docs.example.dev', startUrl: START }] as SourceStats[];
  expect(existingSource({ url: START, name: '' }, sources)).toEqual({ source: 'docs.example.dev', isNameTaken: true });
  expect(existingSource({ url: START, name: 'again' }, sources)).toEqual({
    source: 'docs.example.dev',
    isNameTaken: false,
  });
  expect(existingSource({ url: 'https://other.dev/', name: '' }, sources)).toBeNull();
});

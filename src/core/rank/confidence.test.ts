import { describe, expect, test } from 'vitest';
import { confidenceOf, isWeak } from './confidence.ts';

describe('confidence of an answer', () => {
  test('without pages there is none', () => {
    expect(confidenceOf([])).toBe(0);
    expect(isWeak(confidenceOf([]))).toBe(true);
  });

  test('a page that scores high and far above the others is certain', () => {
    expect(confidenceOf([9, 5, 4, 4, 4, 4, 4, 4, 4, 4])).toBeGreaterThan(0.95);
  });

  test('ten pages that score low alike are weak evidence', () => {
    expect(isWeak(confidenceOf(Array.from({ length: 10 }, () => 1)))).toBe(true);
  });

  test('pages after the tenth do not count', () => {
    const ten = [6, 5, 5, 5, 5, 5, 5, 5, 5, 5];
    expect(confidenceOf([...ten, 0, 0])).toBe(confidenceOf(ten));
  });
});

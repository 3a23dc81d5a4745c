import { describe, expect, test } from 'vitest';
import { versionVerdict } from './version-verdict.ts';

describe('versions', () => {
  const labels = ['3.9', '3.11', '3.2.1', '4.0-rc1', 'stable'];
  test.each([
    ['latest', '3.11'],
    ['3.2.1', '3.2.1'],
    ['^3.2', '3.11'],
    ['~3.2', '3.2.1'],
    ['>=3 <3.10', '3.9'],
    ['3.x', '3.11'],
    ['stable', 'stable'],
  ])('%s is %s', (requested, label) => {
    expect(versionVerdict(labels, requested)).toMatchObject({ found: true, label });
  });

  test('[X4] a missing version is never replaced by another one', () => {
    expect(versionVerdict(labels, '5')).toEqual({ found: false });
    expect(versionVerdict(labels, 'main')).toEqual({ found: false });
    expect(versionVerdict([], 'latest')).toEqual({ found: false });
  });
});

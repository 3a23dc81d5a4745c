import { describe, expect, test } from 'vitest';
import { pickVersion, unknownVersion, versionVerdict } from './version-verdict.ts';

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

  test('the highest version is picked, not the last one that was added', () => {
    const versions = ['9.2', '10.1', '10.2-beta', ''].map((label, id) => ({ id, label }));
    expect(pickVersion(versions)).toBe(versions[1]);
    expect(pickVersion(versions, '9')).toBe(versions[0]);
    expect(pickVersion(versions, '')).toBe(versions[3]);
    expect(pickVersion(versions, '11')).toBeUndefined();
    expect(unknownVersion(versions, '11').message).toContain('11; available: 9.2, 10.1, 10.2-beta, (none)');
  });

  test('[X4] a missing version is never replaced by another one', () => {
    expect(versionVerdict(labels, '5')).toEqual({ found: false });
    expect(versionVerdict(labels, 'main')).toEqual({ found: false });
    expect(versionVerdict([], 'latest')).toEqual({ found: false });
  });
});

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
    expect(unknownVersion(versions, '11').message).toContain('11; available: 9.2, 10.1, 10.2-beta');
  });

  test('a source without a label is requested by the version that its site declares', () => {
    const versions = [{ label: '', declaredVersion: '3.2.25' }];
    for (const requested of [undefined, 'latest', '', '^3', '3.2.25', '3.x'])
      expect(pickVersion(versions, requested)).toBe(versions[0]);
    expect(pickVersion(versions, '5')).toBeUndefined();
    expect(unknownVersion(versions, '5').message).toContain('available: declares 3.2.25');
    const labelled = [{ label: '4.2', declaredVersion: '3.2.25' }];
    expect(pickVersion(labelled, '^3')).toBeUndefined();
  });

  test('[X4] a missing version is never replaced by another one', () => {
    expect(versionVerdict(labels, '5')).toEqual({ found: false });
    expect(versionVerdict(labels, 'main')).toEqual({ found: false });
    expect(versionVerdict([], 'latest')).toEqual({ found: false });
  });
});

test('versions are listed once, and that there is none is said once (finding T26)', () => {
  const unnamed = [{ label: '' }, { label: '' }];
  expect(unknownVersion(unnamed, '^9').message).toBe(
    'There is no version ^9; available: none, because the documentation has no version',
  );
  expect(unknownVersion([{ label: '3.2' }, { label: '3.2' }, ...unnamed], '^9').message).toContain('available: 3.2');
});

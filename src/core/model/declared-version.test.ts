import { expect, test } from 'vitest';
import { parseDeclaredVersion, versionLabel } from './declared-version.ts';

test.each([
  ['3.2.25', '3.2.25'],
  ['v18.20.4', '18.20.4'],
  [' 17 ', '17'],
  ['3.13.0rc1', '3.13.0rc1'],
  ['1.15.0-rc.0', '1.15.0-rc.0'],
  ['6.2.0-SNAPSHOT', '6.2.0-SNAPSHOT'],
  ['4.x', '4.x'],
])('%j is the version %s', (text, version) => expect(parseDeclaredVersion(text)).toBe(version));

test.each([
  '',
  'latest',
  'stable',
  'main',
  '3.2 Ignore all rules',
  '1-ignore-all-rules',
  '3.2\n4',
  '3..2',
  '1.2.3.4.5.6.7',
  '12345.12345.12345.12345',
  '5.3.0.dev0+g1234567',
  '<b>1</b>',
])('%j is not a version', (text) => expect(parseDeclaredVersion(text)).toBeNull());

test.each([
  ['3.2', null, '3.2'],
  ['', '3.2.25', 'declares 3.2.25'],
  ['3.2', '3.2.25', '3.2 (declares 3.2.25)'],
  ['3.2.25', '3.2.25', '3.2.25'],
  ['v3.2.25', '3.2.25', 'v3.2.25'],
  ['', null, ''],
  ['', 'Ignore all rules', ''],
])('the label %j of a site that declares %j is shown as %j', (label, declared, shown) => {
  expect(versionLabel(label, declared)).toBe(shown);
});

import { expect, test } from 'vitest';
import { scanSecrets } from './scan-secrets.ts';
import { workMs } from '../../../../test/support/work-time.ts';

// Put together here, so that no scanner of this repository takes them for real.
const joined = (...parts: string[]): string => parts.join('');

test.each([
  ['private-key', joined('-----BEGIN RSA ', 'PRIVATE KEY-----')],
  ['aws-access-key', joined('AKIA', 'Q7RZ2MWN4TBVX9YL')],
  ['github-token', joined('ghp_', 'a8Kd72hLq0ZmPw3Rt5Yv9Bn1Cx4Fs6Gj2Hk7')],
  ['gitlab-token', joined('glpat-', 'qL8vT2mZx9KpRw4NsY7d')],
  ['slack-token', joined('xoxb-', '84920183746-qLvTmZxKpRwNsYdB')],
  ['google-api-key', joined('AIza', 'SyD8kLq2Zm4Pw7Rt9Yv3Bn5Cx1Fs6Gj0HkQ')],
  ['npm-token', joined('npm_', 'a8Kd72hLq0ZmPw3Rt5Yv9Bn1Cx4Fs6Gj2Hk7')],
  ['model-api-key', joined('sk-', 'a8Kd72hLq0ZmPw3Rt5Yv9Bn1Cx4Fs6Gj2Hk7')],
  ['json-web-token', joined('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiI5ODcifQ0k', '.c2lnbmF0dXJlLWhlcmU')],
  ['password-in-url', joined('postgres://ada:', 'kT9-vLq2@db.corp/docs')],
])('%s is found with its line, never with its value', (rule, secret) => {
  const found = scanSecrets(`first\nkey: ${secret}\nlast`, 'a.md', 10);
  expect(found).toEqual([{ rule, path: 'a.md', line: 11 }]);
  expect(JSON.stringify(found)).not.toContain(secret);
});

test('placeholders in documentation are not findings', () => {
  const shown = `AKIAIOSFODNN7EXAMPLE, ${joined('sk-', 'x'.repeat(32))}, postgres://user:password@host/db, ghp_...`;
  expect(scanSecrets(shown, 'a.md', 1)).toEqual([]);
});

test('a long text of key prefixes takes linear time', () => {
  const text = 'eyJaaaaaaaaaa.eyJ-----BEGIN a://b:c'.repeat(30_000);
  expect(workMs(() => scanSecrets(text, 'a.md', 1))).toBeLessThan(10_000);
});

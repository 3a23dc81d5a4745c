import { expect, test } from 'vitest';
import { errorCatalog } from '../core/model/errors.ts';
import { createRedactor, isSecretName, redactText } from './redact.ts';
import { workMs } from '../../test/support/work-time.ts';

const PEM = ['-----BEGIN', 'PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----'].join(' ');
// Put together here, so that no scan of the sources takes them for real ones.
const key = (start: string): string => start + 'Zz0'.repeat(10);

test.each([
  ['red-01', 'Authorization: Bearer eyJhbGciOi.J.K', 'Authorization: Bearer [redacted]'],
  ['red-02', 'Authorization: Basic dXNlcjpwYXNz', 'Authorization: Basic [redacted]'],
  ['red-03', 'Cookie: sid=abc; t=1', 'Cookie: [redacted]'],
  ['red-04', 'Set-Cookie: sid=abc', 'Set-Cookie: [redacted]'],
  ['red-05', 'X-Api-Key: k', 'X-Api-Key: [redacted]'],
  ['red-06', 'postgres://u:p@h/db', 'postgres://u:[redacted]@h/db'],
  ['red-06 with @ in it', 'postgres://u:p@s@h/db', 'postgres://u:[redacted]@h/db'],
  ['red-07', 'https://user:pass@host/x', 'https://[redacted]@host/x'],
  [
    'red-08',
    'https://h/x?token=abc&access_token=d&api_key=e&sig=f&X-Amz-Signature=g&code=h&page=2',
    'https://h/x?token=[redacted]&access_token=[redacted]&api_key=[redacted]&sig=[redacted]&X-Amz-Signature=[redacted]&code=[redacted]&page=2',
  ],
  ['red-10', `before ${PEM} after`, 'before [redacted] after'],
  ['red-10 cut short', `before ${PEM.slice(0, 40)}`, 'before [redacted]'],
  ['red-17', `found %73k-${'Zz0'.repeat(10)} here`, 'found [redacted] here'],
])('%s: a secret is taken out and the rest stays', (_, text, expected) => {
  expect(redactText(text)).toBe(expected);
});

test.each(['sk-', 'sk-ant-', 'ghp_', 'github_pat_', 'glpat-', 'xoxb-', 'AKIA', 'AIza', 'npm_'])(
  'red-09: a key that begins with %s is taken out',
  (start) => {
    expect(redactText(`got "${key(start)}" back`)).toBe('got "[redacted]" back');
  },
);

test('red-18: a configured secret is taken out in every form in which it travels', () => {
  const secret = 'pa/ss wörd?';
  const redact = createRedactor([secret, 'abc']);
  const bytes = Buffer.from(secret);
  for (const encoding of [secret, encodeURIComponent(secret), bytes.toString('base64'), bytes.toString('hex')]) {
    expect(redact(`x ${encoding} y`)).toMatch(/^x \[redacted\]=* y$/);
  }
  expect(redact('abc')).toBe('abc');
});

test.each([
  'https://docs.example/a@b?page=1#x',
  'npm_config_cache',
  'sk-learn',
  'task-list-items',
  '100%',
  '%E4%B8%AD',
])('%s holds no secret and stays as it is', (text) => {
  expect(redactText(text)).toBe(text);
});

test('fields are known by their names', () => {
  expect(['password', 'apiKey', 'Authorization', 'set-cookie', 'env', 'readToken'].every(isSecretName)).toBe(true);
  expect(['tokens', 'maxTokens', 'keyboard', 'environment'].some(isSecretName)).toBe(false);
});

test.each([
  ['words', 'a'.repeat(400_000)],
  ['percent signs', '%41'.repeat(130_000)],
  ['starts of tokens', 'eyJ-'.repeat(100_000)],
  ['starts of keys', PEM.slice(0, 27).repeat(15_000)],
  ['starts of URLs', 'https://a'.repeat(45_000)],
  ['starts of databases', 'postgres://a:'.repeat(30_000)],
  ['headers', 'authorization: '.repeat(27_000)],
  ['x-x-x', 'x-'.repeat(200_000)],
])('400 kB of %s take less than a second of CPU time', (_, text) => {
  expect(workMs(() => redactText(text))).toBeLessThan(1000);
});

test('the advice of an error is not taken for a secret (finding T3.5)', () => {
  for (const { code, message, nextStep = '' } of errorCatalog())
    expect([redactText(message), redactText(nextStep)], code).toEqual([message, nextStep]);
});

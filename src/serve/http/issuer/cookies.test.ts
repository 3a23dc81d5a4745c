import { expect, test } from 'vitest';
import { cookieHeader, cookieNames, decodePending, encodePending, readCookie } from './cookies.ts';

const SECRET = 'a'.repeat(43);

test('over TLS no other host of the domain can set the cookies', () => {
  const { session, isSecure } = cookieNames('https://docs.corp.example');
  const header = cookieHeader({ name: session, value: SECRET, sameSite: 'Strict', maxAgeSeconds: 60 }, isSecure);
  expect(header).toBe(`__Host-pinakes-session=${SECRET}; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure`);
  expect(cookieNames('https://docs.corp.example').pending).toBe('__Host-pinakes-sign-in');
});

test('without TLS, on loopback, they have no prefix, which browsers would reject', () => {
  const { session, isSecure } = cookieNames('http://127.0.0.1:7465');
  const header = cookieHeader({ name: session, value: SECRET, sameSite: 'Lax', maxAgeSeconds: 0 }, isSecure);
  expect(header).toBe(`pinakes-session=${SECRET}; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`);
});

test.each([
  ['one of several', 'a=b; name=value; c=d', 'value'],
  ['spaces around it', '  name = value ', 'value'],
  ['without cookies', undefined, null],
  ['another case', 'Name=value', null],
  ['a longer name', 'other-name=value', null],
  ['twice', 'name=value; name=value', null],
  ['empty', 'name=', null],
  ['characters of a header', 'name=a,b', null],
  ['in quotes', 'name="value"', null],
  ['too long', `name=${'a'.repeat(3001)}`, null],
])('a cookie is read by its exact name: %s', (_, header, expected) => {
  expect(readCookie(header, 'name')).toBe(expected);
});

test('a pending sign-in is read as it was written, and nothing else is', () => {
  const pending = { state: SECRET, nonce: SECRET, verifier: SECRET, to: '/', replaces: '', until: 1 };
  expect(decodePending(encodePending(pending))).toEqual(pending);
  const others = [
    { state: '' },
    { nonce: 'short' },
    { verifier: `${SECRET}a` },
    { to: 1 },
    { replaces: null },
    { until: '1' },
    { state: null },
  ];
  for (const change of others)
    expect(
      decodePending(encodePending({ ...pending, ...change } as typeof pending)),
      JSON.stringify(change),
    ).toBeNull();
  for (const text of [null, '', 'x', 'bnVsbA', 'W10']) expect(decodePending(text)).toBeNull();
});

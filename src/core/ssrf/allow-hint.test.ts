import { expect, test } from 'vitest';
import { allowHint } from './allow-hint.ts';

test.each([
  ['http://127.0.0.1:8080/', 'loopback', 'PINAKES_FETCH_ALLOW_CIDRS=127.0.0.1/32'],
  ['http://[::1]/', 'loopback', 'PINAKES_FETCH_ALLOW_CIDRS=::1/128'],
  ['http://localhost/', 'loopback', 'PINAKES_FETCH_ALLOW_CIDRS=127.0.0.0/8'],
  ['https://docs.corp.example./', 'private', 'PINAKES_FETCH_ALLOW_HOSTS=docs.corp.example'],
  ['https://docs.example.com:21126/', 'port-not-allowed', 'PINAKES_FETCH_ALLOW_PORTS=21126'],
])('%s, refused as %s, names the one setting that opens it, with a value (finding T1.15)', (url, rule, setting) => {
  expect(allowHint(url, rule)).toMatch(new RegExp(`set ${setting.replaceAll('.', '[.]')}$`));
});

test('nothing is suggested for what must stay closed (finding T1.15)', () => {
  expect(allowHint('http://169.254.169.254/', 'metadata')).toBeNull();
  expect(allowHint('ftp://a.example/', 'scheme-not-allowed')).toBeNull();
});

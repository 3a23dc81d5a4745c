import { expect, test } from 'vitest';
import { guardPolicy, type GuardSettings } from './guard-policy.ts';
import { ssrfVerdict } from './ssrf-verdict.ts';

const reason = (url: string, settings: Partial<GuardSettings> = {}): string => {
  const verdict = ssrfVerdict(url, guardPolicy({ allowCidrs: [], ...settings }));
  return verdict.admit ? 'admitted' : verdict.reason;
};

test('localhost needs its range, and is then allowed except on ports of other services', () => {
  expect(reason('http://localhost:3000/')).toBe('loopback');
  expect(reason('http://localhost:3000/', { allowCidrs: ['127.0.0.0/8'] })).toBe('admitted');
  expect(reason('http://docs.localhost:3000/', { allowCidrs: ['::1/128'] })).toBe('admitted');
  expect(reason('http://localhost:6379/', { allowCidrs: ['127.0.0.0/8'] })).toBe('port-not-allowed');
  expect(reason('http://localhost:3000/', { allowCidrs: ['10.0.0.0/8'] })).toBe('loopback');
});

test('an internal name is allowed once a range or the name is allowlisted', () => {
  expect(reason('http://wiki.internal/')).toBe('internal-name');
  expect(reason('http://docs/')).toBe('single-label');
  expect(reason('http://docs:8000/', { allowCidrs: ['172.16.0.0/12'] })).toBe('admitted');
  expect(reason('http://wiki.internal/', { allowHosts: ['Wiki.Internal.'] })).toBe('admitted');
});

test('the name of a metadata server is never allowed', () => {
  const settings = { allowHosts: ['metadata.google.internal'], allowCidrs: ['0.0.0.0/0'] };
  expect(reason('http://metadata.google.internal/', settings)).toBe('metadata');
});

test('a port is allowed if the operator lists it', () => {
  expect(reason('https://example.com:3000/')).toBe('port-not-allowed');
  expect(reason('https://example.com:3000/', { allowPorts: [3000] })).toBe('admitted');
  expect(reason('http://10.0.0.1:5432/', { allowCidrs: ['10.0.0.0/8'] })).toBe('port-not-allowed');
  expect(reason('http://10.0.0.1:5432/', { allowCidrs: ['10.0.0.0/8'], allowPorts: [5432] })).toBe('admitted');
});

test('an invalid range is a configuration error', () => {
  expect(() => guardPolicy({ allowCidrs: ['10.0.0.0/99'] })).toThrow('fetch.allowCidrs');
});

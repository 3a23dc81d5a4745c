import { expect, test } from 'vitest';
import { guardPolicy, type GuardSettings } from './guard-policy.ts';
import { ssrfVerdict } from './ssrf-verdict.ts';

const because = (url: string, settings: Partial<GuardSettings> = {}): string => {
  const verdict = ssrfVerdict(url, guardPolicy({ allowCidrs: [], ...settings }));
  return verdict.admit ? 'admitted' : verdict.because;
};

test('localhost needs its range, and is then allowed on every port except those of other services', () => {
  expect(because('http://localhost:3000/')).toBe('loopback');
  expect(because('http://localhost:3000/', { allowCidrs: ['127.0.0.0/8'] })).toBe('admitted');
  expect(because('http://docs.localhost:3000/', { allowCidrs: ['::1/128'] })).toBe('admitted');
  expect(because('http://localhost:6379/', { allowCidrs: ['127.0.0.0/8'] })).toBe('port-not-allowed');
  expect(because('http://localhost:3000/', { allowCidrs: ['10.0.0.0/8'] })).toBe('loopback');
});

test('an internal name is allowed once a range or the name is allowlisted', () => {
  expect(because('http://wiki.internal/')).toBe('internal-name');
  expect(because('http://docs/')).toBe('single-label');
  expect(because('http://docs:8000/', { allowCidrs: ['172.16.0.0/12'] })).toBe('admitted');
  expect(because('http://wiki.internal/', { allowHosts: ['Wiki.Internal.'] })).toBe('admitted');
});

test('the name of a metadata server is never allowed', () => {
  const settings = { allowHosts: ['metadata.google.internal'], allowCidrs: ['0.0.0.0/0'] };
  expect(because('http://metadata.google.internal/', settings)).toBe('metadata');
});

test('a port is allowed if the operator lists it', () => {
  expect(because('https://example.com:3000/')).toBe('port-not-allowed');
  expect(because('https://example.com:3000/', { allowPorts: [3000] })).toBe('admitted');
  expect(because('http://10.0.0.1:5432/', { allowCidrs: ['10.0.0.0/8'] })).toBe('port-not-allowed');
  expect(because('http://10.0.0.1:5432/', { allowCidrs: ['10.0.0.0/8'], allowPorts: [5432] })).toBe('admitted');
});

test('an invalid range is a configuration error', () => {
  expect(() => guardPolicy({ allowCidrs: ['10.0.0.0/99'] })).toThrow('fetch.allowCidrs');
});

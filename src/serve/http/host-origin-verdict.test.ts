import { describe, expect, test } from 'vitest';
import { LOOPBACK_NAMES, requestVerdict, type AskedAs } from './host-origin-verdict.ts';

const policy = {
  hosts: new Set([...LOOPBACK_NAMES, 'docs.corp.example']),
  origins: new Set(['https://wiki.corp.example']),
};
const asked = (more: Partial<AskedAs>): AskedAs => ({
  host: ['localhost:7465'],
  origin: null,
  reached: '127.0.0.1',
  ...more,
});

describe('a request is answered', () => {
  test.each<[string, Partial<AskedAs>]>([
    ['under a loopback name', {}],
    ['under a name in capitals', { host: ['LOCALHOST:7465'] }],
    ['under an IPv6 address', { host: ['[::1]:7465'] }],
    ['under the name that the operator gave', { host: ['docs.corp.example'] }],
    ['under the address that it reached', { host: ['10.1.2.3:7465'], reached: '10.1.2.3' }],
    ['from its own page', { origin: 'http://localhost:7465' }],
    ['from its own page behind TLS', { host: ['docs.corp.example'], origin: 'https://docs.corp.example' }],
    ['from a page that the operator allowed', { origin: 'https://wiki.corp.example' }],
  ])('%s', (_, more) => {
    expect(requestVerdict(asked(more), policy)).toEqual({ kind: 'allowed' });
  });
});

describe('a request is refused', () => {
  test.each<[string, Partial<AskedAs>, number]>([
    ['without a host', { host: [] }, 400],
    ['with two hosts', { host: ['localhost', 'localhost'] }, 400],
    ['with a host that is none', { host: ['a b'] }, 400],
    ['under a name that was made to lead here', { host: ['rebind.evil.example:7465'] }, 403],
    ['under an address that it did not reach', { host: ['10.1.2.3'], reached: '10.1.2.4' }, 403],
    ['from a page elsewhere', { origin: 'https://evil.example' }, 403],
    ['from no page in particular', { origin: 'null' }, 403],
    ['from a page whose name begins like ours', { origin: 'http://localhost.evil.example' }, 403],
    ['from another port of this machine', { origin: 'http://localhost:3000' }, 403],
  ])('%s', (_, more, status) => {
    expect(requestVerdict(asked(more), policy)).toMatchObject({ kind: 'refused', status });
  });
});

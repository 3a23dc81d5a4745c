import { describe, expect, test } from 'vitest';
import { LOOPBACK_NAMES, hostOriginVerdict, type RequestTarget } from './host-origin-verdict.ts';

const policy = {
  hosts: new Set([...LOOPBACK_NAMES, 'docs.corp.example']),
  origins: new Set(['https://wiki.corp.example']),
};
const target = (more: Partial<RequestTarget>): RequestTarget => ({
  host: ['localhost:7465'],
  origin: null,
  fetchSite: null,
  isPublic: false,
  localAddress: '127.0.0.1',
  ...more,
});

describe('a request is allowed', () => {
  test.each<[string, Partial<RequestTarget>]>([
    ['for a loopback name', {}],
    ['for a name in capitals', { host: ['LOCALHOST:7465'] }],
    ['for an IPv6 address', { host: ['[::1]:7465'] }],
    ['for a host that the operator allowed', { host: ['docs.corp.example'] }],
    ['for the IP address of the connection', { host: ['10.1.2.3:7465'], localAddress: '10.1.2.3' }],
    ['from the own origin', { origin: 'http://localhost:7465' }],
    ['from the own origin behind TLS', { host: ['docs.corp.example'], origin: 'https://docs.corp.example' }],
    ['from an origin that the operator allowed', { origin: 'https://wiki.corp.example', fetchSite: 'cross-site' }],
    ['from the dashboard', { fetchSite: 'same-origin' }],
    ['typed into a browser', { fetchSite: 'none' }],
    ['from a link on another site to the dashboard', { fetchSite: 'cross-site', isPublic: true }],
  ])('%s', (_, more) => {
    expect(hostOriginVerdict(target(more), policy)).toEqual({ kind: 'allowed' });
  });
});

describe('a request is refused', () => {
  test.each<[string, Partial<RequestTarget>, number]>([
    ['without a host', { host: [] }, 400],
    ['with two hosts', { host: ['localhost', 'localhost'] }, 400],
    ['with an invalid host', { host: ['a b'] }, 400],
    ['for a rebound DNS name', { host: ['rebind.evil.example:7465'] }, 403],
    ['for another IP address', { host: ['10.1.2.3'], localAddress: '10.1.2.4' }, 403],
    ['from another site', { origin: 'https://evil.example' }, 403],
    ['from an opaque origin', { origin: 'null' }, 403],
    ['from an origin with our name as its prefix', { origin: 'http://localhost.evil.example' }, 403],
    ['from another port of this machine', { origin: 'http://localhost:3000' }, 403],
    ['from an image on another site (finding N25)', { fetchSite: 'cross-site' }, 403],
    ['from an image on another port of this machine (finding N25)', { fetchSite: 'same-site' }, 403],
  ])('%s', (_, more, status) => {
    expect(hostOriginVerdict(target(more), policy)).toMatchObject({ kind: 'refused', status });
  });
});

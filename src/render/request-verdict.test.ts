import { expect, test } from 'vitest';
import { requestVerdict, type PageRequest } from './request-verdict.ts';

const verdict = (request: Partial<PageRequest>): string => {
  const found = requestVerdict({
    method: 'GET',
    resourceType: 'XHR',
    url: 'https://docs.example.dev/data.json',
    isMainFrame: true,
    documents: 1,
    origin: 'https://docs.example.dev',
    headers: {},
    ...request,
  });
  if (!found.admit) return found.reason;
  return found.isData ? 'data' : 'part';
};

test.each([
  [{}, 'data'],
  [{ resourceType: 'Script' }, 'part'],
  [{ resourceType: 'Stylesheet', url: 'https://cdn.example.net/a.css' }, 'part'],
  [{ method: 'OPTIONS', resourceType: 'Preflight' }, 'part'],
  [{ method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'GET' } }, 'data'],
  [{ method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'DELETE' } }, 'method'],
  [{ resourceType: 'Other', headers: { 'Sec-Purpose': 'prefetch;prerender' } }, 'prefetch'],
  [{ resourceType: 'Prefetch' }, 'type'],
  [{ method: 'POST' }, 'method'],
  [{ method: 'DELETE' }, 'method'],
  [{ resourceType: 'Image' }, 'type'],
  [{ resourceType: 'Media' }, 'type'],
  [{ resourceType: 'Font' }, 'type'],
  [{ resourceType: 'WebSocket' }, 'type'],
  [{ resourceType: 'EventSource' }, 'type'],
  [{ resourceType: 'Ping' }, 'type'],
  [{ resourceType: 'Other', url: 'https://docs.example.dev/favicon.ico' }, 'type'],
  [{ url: 'file:///etc/passwd' }, 'scheme'],
  [{ url: 'ftp://docs.example.dev/' }, 'scheme'],
  [{ resourceType: 'Document', isMainFrame: false }, 'data'],
  [{ resourceType: 'Document', isMainFrame: false, url: 'https://ads.example.net/' }, 'frame'],
  [{ resourceType: 'Document', url: 'https://other.example.net/' }, 'data'],
  [{ resourceType: 'Document', documents: 10 }, 'redirect-loop'],
] as const)('%o: %s', (request, expected) => expect(verdict(request)).toBe(expected));

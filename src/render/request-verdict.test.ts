import { expect, test } from 'vitest';
import { requestVerdict, type PageRequest } from './request-verdict.ts';

const verdict = (request: Partial<PageRequest>): string => {
  const judged = requestVerdict({
    method: 'GET',
    resourceType: 'XHR',
    url: 'https://docs.example.dev/data.json',
    isMainFrame: true,
    documents: 1,
    origin: 'https://docs.example.dev',
    ...request,
  });
  if (!judged.admit) return judged.because;
  return judged.isData ? 'data' : 'part';
};

test.each([
  [{}, 'data'],
  [{ resourceType: 'Script' }, 'part'],
  [{ resourceType: 'Stylesheet', url: 'https://cdn.example.net/a.css' }, 'part'],
  [{ method: 'OPTIONS', resourceType: 'Preflight' }, 'part'],
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

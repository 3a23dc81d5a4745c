// The cases of test/data/cases/ssrf-urls.json as a page meets them: URLs that it requests, names that resolve to what they should
// not, and responses of its own server that send it elsewhere.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { PUBLIC } from '../../support/guarded-fetch.ts';
import { readCases } from '../../support/read-cases.ts';

interface LiteralCase {
  readonly id: string;
  readonly url: string;
  readonly expect: 'allow' | 'block' | 'reject_parse';
  readonly whatwg: { readonly host?: string };
}

const { literal, dns, redirect } = readCases('ssrf-urls') as {
  literal: LiteralCase[];
  dns: Array<{ id: string; url: string }>;
  redirect: Array<{ id: string }>;
};

/** The site of the page that attacks. */
export const ATTACKER = 'attack.test';

export interface AttackCase {
  readonly id: string;
  readonly url: string;
  /** `host:port` that the proxy has to connect to; null if it must not, or may not need to. */
  readonly arrivesAt: string | null;
}

const LOOPBACK_SPELLINGS = [
  '127.0.0.1',
  'localhost',
  '0x7f.1',
  '2130706433',
  '127.1',
  '0.0.0.0',
  '[::1]',
  '[::ffff:127.0.0.1]',
];

/** Needs a proxy of the operator; it has a separate test. */
const PROXIED_CASE = 'dns-16';

/** `sentinelPort`: of a server on loopback that must stay silent. */
export function attackCases(sentinelPort: number): readonly AttackCase[] {
  return [
    ...literal.map(({ id, url, expect }) => ({ id, url, arrivesAt: expect === 'allow' ? authorityOf(url) : null })),
    ...LOOPBACK_SPELLINGS.map((host) => ({ id: host, url: `http://${host}:${sentinelPort}/`, arrivesAt: null })),
    ...dns.filter(({ id }) => id !== PROXIED_CASE).map(({ id, url }) => ({ id, url, arrivesAt: null })),
    ...redirect.map(({ id }) => ({ id, url: `http://${ATTACKER}/redirect/${id}`, arrivesAt: `${ATTACKER}:80` })),
  ];
}

function authorityOf(text: string): string {
  const { hostname, port, protocol } = new URL(text);
  return `${hostname.replace(/^\[|\]$/g, '')}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

/** Addresses that allowed cases name. */
const ALLOWED = new Set(
  literal.filter(({ expect }) => expect === 'allow').map(({ whatwg }) => (whatwg.host ?? '').replace(/^\[|\]$/g, '')),
);

/** Whether a connection to this address is one that the cases allow. */
export function isAllowedAddress(address: string): boolean {
  return address === PUBLIC || ALLOWED.has(address);
}

const MANY = Array.from({ length: 4000 }, (_, nth) => `93.184.${nth >> 8}.${nth & 255}`).with(31, '10.0.0.1');

/** Resolves the names of the cases; each call is for a separate page, since some names change their address. */
export function createCaseResolver(): (name: string) => Promise<readonly string[]> {
  const addresses = new Map<string, readonly string[]>([
    [ATTACKER, [PUBLIC]],
    ['other.test', [PUBLIC]],
    // A name in a case that must be blocked leads to this machine, so that blocking it is left to the guard.
    ...literal.flatMap(({ whatwg, expect }) =>
      whatwg.host === undefined ? [] : [[whatwg.host, [expect === 'allow' ? PUBLIC : '127.0.0.1']] as const],
    ),
    ['evil.test', ['127.0.0.1']],
    ['mixed.test', [PUBLIC, '10.0.0.5']],
    ['mixed6.test', [PUBLIC, '::1']],
    ['mapped.test', ['::ffff:10.0.0.1']],
    ['nat.test', ['64:ff9b::a9fe:a9fe']],
    ['empty.test', []],
    ['many.test', MANY],
    ['cname.test', ['169.254.169.254']],
    ['localtest.me', ['127.0.0.1']],
    ['127.0.0.1.nip.io', ['127.0.0.1']],
  ]);
  const lookups = new Map<string, number>();
  return async (name) => {
    const nth = lookups.get(name) ?? 0;
    lookups.set(name, nth + 1);
    if (name.startsWith('rebind')) return nth === 0 ? [PUBLIC] : ['127.0.0.1', '10.0.0.1'];
    if (name === 'slow.test') return new Promise<never>(() => undefined);
    const found = addresses.get(name);
    if (found === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
    return found;
  };
}

type Answer = (request: IncomingMessage, response: ServerResponse, sentinel: string) => void;

const to =
  (location: (sentinel: string) => string | string[], status = 302): Answer =>
  (_, response, sentinel) =>
    void response.setHeader('location', location(sentinel)).writeHead(status).end();

const page =
  (html: (sentinel: string) => string, headers: (sentinel: string) => Record<string, string> = () => ({})): Answer =>
  (_, response, sentinel) =>
    void response.writeHead(200, { 'content-type': 'text/html', ...headers(sentinel) }).end(html(sentinel));

const nthOf = ({ url = '' }: IncomingMessage): number => Number(/\d+$/.exec(url.split('?')[1] ?? '')?.[0] ?? 0);

/** `sentinel`: the server on loopback that must stay silent, as `127.0.0.1:PORT`. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  'redir-01': to((sentinel) => `http://${sentinel}/secret`),
  'redir-02': to(() => 'http://169.254.169.254/latest/meta-data/'),
  'redir-03': to(() => 'file:///etc/passwd', 307),
  'redir-04': to(() => 'data:text/html,<b>x</b>'),
  'redir-05': (request, response, sentinel) => {
    const nth = nthOf(request);
    to(() => (nth < 10 ? `/redirect/redir-05?${nth + 1}` : `http://${sentinel}/`))(request, response, sentinel);
  },
  'redir-06': (request, response, sentinel) =>
    to(() => `/redirect/redir-06?${1 - nthOf(request)}`)(request, response, sentinel),
  'redir-07': to((sentinel) => `//${sentinel}/`),
  'redir-08': to((sentinel) => `\\\\${sentinel}\\`),
  'redir-09': to((sentinel) => `http://${sentinel}\\@good.example/`),
  'redir-10': to(() => ''),
  'redir-11': to((sentinel) => ['http://other.test/', `http://${sentinel}/`]),
  'redir-12': (_, response, sentinel) => {
    const raw = `HTTP/1.1 302 Found\r\nLocation: /a\rLocation: http://${sentinel}/\r\nContent-Length: 0\r\n\r\n`;
    response.socket?.end(raw);
  },
  'redir-13': to(() => 'http://attack.test/plain'),
  'redir-14': to(() => 'http://other.test/'),
  'redir-15': to(() => 'http://attack.test:8080/'),
  'redir-16': page(
    () => 'x',
    (sentinel) => ({ refresh: `0; url=http://${sentinel}/` }),
  ),
  'redir-17': page((sentinel) => `<meta http-equiv=refresh content="0;url=http://${sentinel}/">x`),
  'redir-18': page((sentinel) => `<base href="http://${sentinel}/"><img src=x><script src=y></script><iframe src=z>`),
  'redir-19': page((sentinel) => `<link rel=canonical href="http://${sentinel}/">x`),
  'redir-20': to(() => 'http://10.0.0.5/'),
  'redir-21': page(
    (sentinel) =>
      `<img src="http://169.254.169.254/"><link rel=prefetch href="http://${sentinel}/"><script>fetch('http://${sentinel}/'); new WebSocket('ws://${sentinel}/'); new EventSource('http://${sentinel}/'); navigator.sendBeacon('http://${sentinel}/')</script>`,
  ),
  'redir-22': to((sentinel) => `http://${sentinel}/`, 304),
};

/** What a service worker runs: it requests each URL that it is sent. */
const SERVICE_WORKER = `
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('message', ({ data }) => { for (const url of data) fetch(url, { mode: 'no-cors' }).catch(() => 0); });
`;

/** Answers every request of the page, to whatever host it goes. */
export function answerAttack(request: IncomingMessage, response: ServerResponse, sentinel: string): void {
  const { pathname } = URL.parse(request.url ?? '', 'http://x') ?? { pathname: '/' };
  if (pathname === '/sw.js')
    return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(SERVICE_WORKER);
  const answer = ANSWERS[/^\/redirect\/(.+)$/.exec(pathname)?.[1] ?? ''];
  if (answer !== undefined) return answer(request, response, sentinel);
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>x</title><body>x');
}

/** Cases without an answer here; a test expects none. */
export const unansweredRedirects = (): readonly string[] =>
  redirect.map(({ id }) => id).filter((id) => !(id in ANSWERS));

// The behaviours of the chaos server, one entry for each behaviour of test/data/cases/hostile-server.json that plain HTTP can show.
// The rest needs another kind of server: srv-04 (never accepts), srv-49 to srv-53 (TLS and HTTP/2).

import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { ChaosRequest } from './chaos-server.ts';

type Behaviour = (request: ChaosRequest) => void;

const OK = 'HTTP/1.1 200 OK\r\n';
const HTML = { 'Content-Type': 'text/html; charset=utf-8' };
const page = (title: string, body: string): string =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>${body}</p></main>`;
/** Enough to count as a page. */
const PAGE_TEXT =
  'It tells a reader what the server does in this place, and why a crawler has to be careful about it. '.repeat(4);
const links = (hrefs: readonly string[]): string => hrefs.map((href) => `<a href="${href}">${href}</a>`).join(' ');
const zeros = (megabytes: number): Buffer => Buffer.alloc(megabytes * 1_048_576);

const whole = (text: string): string => `${OK}Content-Length: ${text.length}\r\n\r\n${text}`;

/** Created lazily, once. */
const made = new Map<string, Buffer>();
function once(name: string, make: () => Buffer): Buffer {
  const known = made.get(name) ?? make();
  made.set(name, known);
  return known;
}

/** A gigabyte of zeros in one megabyte: sixty-four members in a row, which the format allows. */
function gigabyte(): Buffer {
  const part = gzipSync(zeros(16));
  return Buffer.concat(Array.from({ length: 64 }, () => part));
}

const encoded =
  (encoding: string, name: string, make: () => Buffer): Behaviour =>
  ({ answer }) =>
    answer(200, { ...HTML, 'Content-Encoding': encoding }, once(name, make));

const redirect = (status: number, location: string): string =>
  `HTTP/1.1 ${status} Moved\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`;

const throttled =
  (retryAfter: () => string): Behaviour =>
  ({ answer }) =>
    answer(429, { 'Retry-After': retryAfter() }, 'slow down');

const numberIn = (path: string): number => Number(/\d+/.exec(path)?.[0] ?? 0);

const slowAndBroken: Readonly<Record<string, Behaviour>> = {
  'srv-01': ({ socket, secondMs, repeat }) => {
    socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
    repeat(secondMs, () => socket.write('a'));
  },
  'srv-02': ({ socket, secondMs, repeat }) => {
    socket.write(`${OK}Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n`);
    repeat(secondMs, () => socket.write('1\r\na\r\n'));
  },
  'srv-03': ({ socket }) => void socket.write(`${OK}Content-Length: 100000\r\n\r\n${'a'.repeat(50_000)}`),
  'srv-05': ({ socket }) => void socket.resetAndDestroy(),
  'srv-06': ({ socket }) => {
    socket.write(`${OK}Content-Length: 1000\r\n\r\n${'a'.repeat(500)}`, () =>
      setTimeout(() => socket.resetAndDestroy(), 30),
    );
  },
  'srv-07': ({ socket }) => void socket.end(`${OK}Content-Length: 1000\r\n\r\n${'a'.repeat(10)}`),
  'srv-08': ({ socket }) => void socket.write(`${OK}Content-Length: 10\r\n\r\n${'0123456789'.repeat(100)}`),
  'srv-09': ({ socket }) => void socket.write(`${OK}Content-Length: 10\r\nContent-Length: 20\r\n\r\n${'a'.repeat(20)}`),
  'srv-10': ({ socket }) =>
    void socket.write(`${OK}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n`),
  'srv-11': ({ socket }) =>
    void socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nabc\r\n0\r\n\r\n`),
  'srv-12': ({ socket, repeat }) => {
    socket.write(`${OK}Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const text = 'the quick brown fox '.repeat(3000);
    repeat(1, () => {
      if (socket.writableLength < 1_000_000) socket.write(`${text.length.toString(16)}\r\n${text}\r\n`);
    });
  },
  'srv-13': ({ socket, repeat }) => {
    socket.write(OK);
    let n = 0;
    repeat(1, () => socket.write(Array.from({ length: 50 }, () => `X-${n++}: ${'a'.repeat(100)}\r\n`).join('')));
  },
  'srv-14': ({ socket }) => void socket.write(`${OK}X-Big: ${'a'.repeat(1_048_576)}\r\nContent-Length: 0\r\n\r\n`),
  'srv-59': ({ socket }) => void socket.end('HTTP/1.1 100 Continue\r\n\r\n'),
  'srv-60': ({ socket }) => {
    const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n';
    socket.write(`${hint.repeat(10_000)}${OK}Content-Length: 2\r\n\r\nok`);
  },
};

const decoded: Readonly<Record<string, Behaviour>> = {
  'srv-15': encoded('gzip', 'gzip', gigabyte),
  'srv-16': encoded('br', 'br', () =>
    brotliCompressSync(zeros(64), { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  ),
  'srv-17': encoded('zstd', 'zstd', () => zstdCompressSync(zeros(64))),
  'srv-18': ({ answer }) =>
    answer(200, { 'Content-Encoding': Array.from({ length: 100 }, () => 'gzip').join(', ') }, gzipSync('x')),
  'srv-19': ({ answer, path }) =>
    path === '/bomb'
      ? answer(
          200,
          { 'Content-Encoding': 'gzip, gzip' },
          once('double', () => gzipSync(gigabyte())),
        )
      : answer(200, { ...HTML, 'Content-Encoding': 'gzip, gzip' }, gzipSync(gzipSync(page('Twice', 'packed')))),
  'srv-20': ({ answer }) => {
    const packed = gzipSync(Buffer.from(Array.from({ length: 5000 }, (_, i) => String(i)).join(' ')));
    answer(200, { ...HTML, 'Content-Encoding': 'gzip' }, packed.subarray(0, packed.length / 2));
  },
  'srv-21': ({ answer, path }) =>
    answer(
      200,
      { ...HTML, 'Content-Encoding': 'gzip' },
      path === '/binary' ? deflateSync('not gzip at all') : page('Plain', 'not packed'),
    ),
  'srv-22': ({ answer }) => answer(200, { 'Content-Encoding': 'x-evil' }, 'abc'),
  'srv-23': ({ answer }) =>
    answer(
      200,
      HTML,
      once('noise', () => noise(5 * 1_048_576)),
    ),
  'srv-24': ({ answer }) => answer(200, { 'Content-Type': 'text/markdown' }, page('404', 'This page does not exist')),
  'srv-58': ({ socket, repeat }) => {
    socket.write(`${OK}Content-Type: application/xml\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const part = once('sitemap', () => {
      const entries = Array.from({ length: 20_000 }, (_, i) => `<url><loc>https://x.dev/${i * 7919}</loc></url>`);
      return gzipSync(entries.join('\n'));
    });
    repeat(1, () => {
      if (socket.writableLength > 500_000) return;
      socket.write(Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]));
    });
  },
};

const redirects: Readonly<Record<string, Behaviour>> = {
  'srv-25': ({ socket, path }) => void socket.write(redirect(302, path === '/a' ? '/srv-25/b' : '/srv-25/a')),
  'srv-26': ({ socket, path, answer }) => {
    const hop = numberIn(path);
    if (hop >= 20) answer(200, HTML, page('Far', 'twenty hops away'));
    else socket.write(redirect(302, `/srv-26/${hop + 1}`));
  },
  'srv-27': ({ socket, sentinelPort }) => void socket.write(redirect(302, `http://127.0.0.2:${sentinelPort}/secret`)),
  'srv-28': ({ socket, path }) => void socket.write(redirect(302, `/srv-28${path}/${'segment'.repeat(100)}`)),
};

const FLAKY = Array.from({ length: 20 }, (_, i) => `/srv-35/${i}`);

const answers: Readonly<Record<string, Behaviour>> = {
  'srv-29': ({ socket, answer, path }) => {
    if (path === '/next') return answer(200, HTML, page('Next', 'no cookie'));
    const cookies = Array.from({ length: 1000 }, (_, i) => `Set-Cookie: c${i}=${'a'.repeat(4096)}\r\n`).join('');
    socket.write(`${OK}${cookies}Content-Length: 2\r\n\r\nok`);
  },
  'srv-30': ({ answer, nth }) => {
    const id = (nth * 7919 + 13).toString(36);
    answer(200, HTML, page('Session', PAGE_TEXT + links(['a', 'b', 'c'].map((name) => `/srv-30/${name}?sid=${id}`))));
  },
  'srv-31': throttled(() => '30'),
  'srv-32': throttled(() => new Date(Date.now() + 120_000).toUTCString()),
  'srv-33': throttled(() => '31536000'),
  'srv-34': ({ answer, nth }) => (nth < 10 ? answer(503, {}, 'later') : answer(200, HTML, page('Back', PAGE_TEXT))),
  'srv-35': ({ answer, socket, nth, path }) => {
    if (nth % 10 === 3) socket.resetAndDestroy();
    else if (nth % 10 < 3) answer(500, {}, 'oops');
    else answer(200, HTML, page(`Flaky ${path}`, `${path}. ${PAGE_TEXT}${links(FLAKY)}`));
  },
  'srv-36': ({ answer, nth }) =>
    answer(200, HTML, nth === 0 ? page('Guide', 'a long text '.repeat(500)) : page('Sorry', 'temporarily unavailable')),
  'srv-37': ({ answer, nth }) => (nth < 3 ? answer(200, HTML, page('Here', PAGE_TEXT)) : answer(404, {}, '')),
  'srv-38': ({ socket }) => void socket.write('HTTP/1.1 304 Not Modified\r\nETag: "never"\r\n\r\n'),
  'srv-39': ({ answer, nth }) =>
    answer(200, { ...HTML, ETag: '"same"' }, page('Same tag', `body ${nth}. ${PAGE_TEXT}`)),
  'srv-40': ({ answer }) =>
    answer(
      200,
      { ...HTML, 'Last-Modified': 'Fri, 31 Dec 2099 23:59:59 GMT' },
      page('Future', `from 2099. ${PAGE_TEXT}`),
    ),
  'srv-54': ({ socket, url, path }) => {
    socket.write(path === '/two' ? whole(url) + whole('/poison') : whole(url));
  },
  'srv-55': ({ socket, path }) =>
    void socket.write(
      path === '/location'
        ? 'HTTP/1.1 302 Found\r\nLocation: /a\rX-Injected: 1\r\nContent-Length: 0\r\n\r\n'
        : `${OK}Content-Type: text/html\rX-Injected: 1\r\nContent-Length: 2\r\n\r\nok`,
    ),
  'srv-56': ({ socket }) =>
    void socket.write(
      Buffer.concat([
        Buffer.from(`${OK}Content-Type: text/html; charset=`),
        Buffer.from([0xff]),
        Buffer.from('\r\nContent-Length: 2\r\n\r\nok'),
      ]),
    ),
  'srv-57': ({ answer, path }) => (path === '/robots.txt' ? undefined : answer(200, HTML, page('Page', PAGE_TEXT))),
  'srv-61': ({ answer }) =>
    answer(429, { Date: 'Mon, 01 Jan 2035 00:00:00 GMT', 'Retry-After': '5' }, 'wait by your own clock'),
};

/** The folder links to one page under several URLs. */
const variants =
  (title: string, hrefs: readonly string[]): Behaviour =>
  ({ answer, path }) =>
    answer(200, HTML, path === '/' ? page('Start', `The start. ${PAGE_TEXT}${links(hrefs)}`) : page(title, PAGE_TEXT));

const traps: Readonly<Record<string, Behaviour>> = {
  'srv-41': ({ answer, path }) => {
    const day = numberIn(path);
    answer(200, HTML, page(`Day ${day}`, PAGE_TEXT + links([`/srv-41?d=${day + 1}`, `/srv-41?d=${day - 1}`])));
  },
  'srv-42': ({ answer, path }) => answer(200, HTML, page(`Deep ${path.length}`, PAGE_TEXT + links(['./b/']))),
  'srv-43': ({ answer, path }) => {
    const on = new URLSearchParams(path.replace(/^[^?]*/, ''));
    const all = Array.from({ length: 10 }, (_, i) => {
      const next = new URLSearchParams(on);
      if (next.has(`f${i}`)) next.delete(`f${i}`);
      else next.set(`f${i}`, '1');
      return `/srv-43?${next.toString()}`;
    });
    answer(200, HTML, page('Facets', PAGE_TEXT + links(all)));
  },
  'srv-44': ({ answer, nth }) => {
    const slugs = Array.from({ length: 50 }, (_, i) => `/srv-44/${((nth * 50 + i) * 2_654_435_761).toString(36)}`);
    answer(200, HTML, page('Endless', `the same text on every page ${PAGE_TEXT}${links(slugs)}`));
  },
  'srv-45': ({ answer, nth }) =>
    answer(200, HTML, page('Hosts', PAGE_TEXT + links([`http://sub${nth}.trap.test/srv-45`]))),
  'srv-46': ({ answer, nth, secondMs }) => {
    const more = Array.from({ length: 5 }, (_, i) => `/srv-46/${nth}-${i}`);
    setTimeout(() => answer(200, HTML, page(`Tar ${nth}`, PAGE_TEXT + links(more))), 25 * secondMs);
  },
  'srv-47': variants('Case', ['/srv-47/Page', '/srv-47/page', '/srv-47/PAGE']),
  'srv-48': variants('Slash', ['/srv-48/a', '/srv-48/a/', '/srv-48/a/index.html']),
};

export const CHAOS_BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  ...slowAndBroken,
  ...decoded,
  ...redirects,
  ...answers,
  ...traps,
};

/** Random bytes, the same on every run. */
function noise(length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let state = 0x9e3779b9;
  for (let i = 0; i < length; i++) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + i;
    bytes[i] = state >>> 24;
  }
  return bytes;
}

// The library for clients that speak neither MCP nor our API: /llms.txt, and below /docs the index, the whole text and each page of a
// source as Markdown. Errors are plain text, because a client of these reads text.

import type { Context, Hono } from 'hono';
import type { DocsFiles, PageFile, TextFile } from '../../core/export/llms/docs-files.ts';
import { DOCS_PREFIX } from '../../core/export/llms/served-path.ts';
import { cleanLine } from '../../core/extract/decode/clean-text.ts';
import type { SourceRights } from '../../core/model/source-rights.ts';
import { PinakesError } from '../../core/model/errors.ts';
import type { Env } from './auth-middleware.ts';
import { gzipStream, mayCompress, MIN_COMPRESSED_CHARS } from './compress.ts';

const TEXT = 'text/plain; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const INDEX = '/llms.txt';

export function addDocsRoutes(app: Hono<Env>, docsFor: (sources: SourceRights) => DocsFiles): void {
  const docsOf = (c: Context<Env>): DocsFiles => docsFor(c.get('principal').sources);
  app.get(INDEX, async (c) => sendFile(c, TEXT, await docsOf(c).libraryIndex()));
  app.get(DOCS_PREFIX, (c) => c.redirect(INDEX));
  app.get(`${DOCS_PREFIX}/:source`, (c) => c.redirect(`${DOCS_PREFIX}/${addressOf(c).segment}${INDEX}`));
  app.get(`${DOCS_PREFIX}/:source${INDEX}`, (c) => {
    const { segment } = addressOf(c);
    return orPlainError(c, segment, async () => sendFile(c, TEXT, await docsOf(c).sourceIndex(segment)));
  });
  app.get(`${DOCS_PREFIX}/:source/llms-full.txt`, (c) => {
    const { segment } = addressOf(c);
    return orPlainError(c, segment, async () => sendFile(c, TEXT, await docsOf(c).fullText(segment)));
  });
  app.get(`${DOCS_PREFIX}/:source/*`, (c) => {
    const { segment, path, query } = addressOf(c);
    c.header('vary', 'accept');
    return orPlainError(c, segment, async () => {
      const page = await docsOf(c).page(segment, path, query);
      if (!path.endsWith('.md') && prefersHtml(c.req.header('accept') ?? '')) return c.redirect(dashboardView(page));
      return sendFile(c, MARKDOWN, page);
    });
  });
}

/** The parts of an address as they were received: decoding here would lose where a name ends. */
function addressOf(c: Context<Env>): { readonly segment: string; readonly path: string; readonly query: string } {
  const { pathname, search } = new URL(c.req.url);
  const [segment = '', ...rest] = pathname.slice(DOCS_PREFIX.length + 1).split('/');
  return { segment, path: rest.join('/'), query: search };
}

/** People see the page in the dashboard. */
function dashboardView({ source, version, url }: PageFile): string {
  const query = new URLSearchParams({ url, ...(version === '' ? {} : { version }) });
  return `/sources/${encodeURIComponent(source)}/page?${query.toString()}`;
}

async function sendFile(c: Context<Env>, type: string, file: TextFile): Promise<Response> {
  const headers = { 'content-type': type, etag: file.etag, 'cache-control': 'private, no-cache' };
  if (isCurrent(c.req.header('if-none-match'), file.etag)) return c.body(null, 304, headers);
  if (c.req.method === 'HEAD') return c.body(null, 200, headers);
  const parts = joinParts(file.parts());
  const first = await parts.next();
  const stream = streamOf(first, parts);
  // A first part that is short is the only one.
  if (!mayCompress(c) || first.done === true || first.value.length < MIN_COMPRESSED_CHARS)
    return c.body(stream, 200, headers);
  const weak = file.etag.startsWith('W/') ? file.etag : `W/${file.etag}`;
  return c.body(gzipStream(stream), 200, { ...headers, etag: weak, 'content-encoding': 'gzip' });
}

/** Pulled by the connection: nothing is read that the client has no room for, and nothing after it is gone. */
function streamOf(first: IteratorResult<string, void>, rest: AsyncGenerator<string, void>): ReadableStream<Uint8Array> {
  const parts = async function* (): AsyncGenerator<string, void> {
    if (first.done === true) return;
    yield first.value;
    yield* rest;
  };
  return ReadableStream.from(parts()).pipeThrough(new TextEncoderStream());
}

/** Smaller parts are joined: each costs a system call. */
const PART_CHARS = 32 * 1024;

async function* joinParts(parts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string, void> {
  let joined = '';
  for await (const part of parts) {
    joined += part;
    if (joined.length < PART_CHARS) continue;
    yield joined;
    joined = '';
  }
  if (joined !== '') yield joined;
}

function isCurrent(known: string | undefined, etag: string): boolean {
  if (known === undefined) return false;
  return known.trim() === '*' || known.slice(0, 10_000).split(',').map(opaqueTag).includes(opaqueTag(etag));
}

/** Weak comparison: the same text in other words would do. */
function opaqueTag(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}

/** Whether HTML is wanted more than Markdown, as browsers do; a client that takes anything gets Markdown. */
export function prefersHtml(accept: string): boolean {
  return quality(accept, 'text/html') > quality(accept, 'text/markdown');
}

/** Quality by the most specific range that matches. */
function quality(accept: string, type: string): number {
  const qualities = new Map(accept.slice(0, 1000).split(',').map(parseRange));
  return qualities.get(type) ?? qualities.get('text/*') ?? qualities.get('*/*') ?? 0;
}

function parseRange(range: string): readonly [type: string, quality: number] {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const q = Number(parameters.find((one) => one.startsWith('q='))?.slice(2) ?? 1);
  return [type, Number.isNaN(q) ? 0 : q];
}

/** What to do about an unknown name, in terms of these addresses. */
const NEXT_STEPS: Readonly<Record<string, (segment: string) => string>> = {
  'source.unknown': () => `All sources: ${INDEX}`,
  'version.unknown': () => `All sources with their versions: ${INDEX}`,
  'page.unknown': (segment) => `All pages of the source: ${DOCS_PREFIX}/${segment}${INDEX}`,
};

async function orPlainError(c: Context<Env>, segment: string, send: () => Promise<Response>): Promise<Response> {
  try {
    return await send();
  } catch (error) {
    const nextStep = error instanceof PinakesError ? NEXT_STEPS[error.code] : undefined;
    if (!(error instanceof PinakesError) || nextStep === undefined) throw error;
    return c.body(`${cleanLine(error.message)}.\n${nextStep(segment)}\n`, 404, { 'content-type': TEXT });
  }
}

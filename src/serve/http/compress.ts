// gzip for answers to GET: texts that are known as a whole, and streams. Answers to other methods stay as they are, because only they can
// hold a secret beside what the caller sent (a new token, the secret of a webhook), and so do event streams, which must not wait.

import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** Below it the header costs more than it saves. */
export const MIN_COMPRESSED_CHARS = 1024;

const gzipText = promisify(gzip);
/** An answer is sent once. */
const LEVEL = { level: constants.Z_BEST_SPEED };

/** `gzip;q=0` refuses it. */
export function acceptsGzip(header: string | undefined): boolean {
  const ranges = (header ?? '').slice(0, 1000).toLowerCase().split(',');
  const qualities = new Map(
    ranges.map((range) => {
      const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
      return [name, Number(parameters.find((one) => one.startsWith('q='))?.slice(2) ?? 1)];
    }),
  );
  return (qualities.get('gzip') ?? qualities.get('*') ?? 0) > 0;
}

/** Whether this answer may be compressed; caches are informed. */
export function mayCompress(c: Context): boolean {
  if (c.req.method !== 'GET') return false;
  c.header('vary', 'accept-encoding', { append: true });
  return acceptsGzip(c.req.header('accept-encoding'));
}

export async function sendText(
  c: Context,
  text: string,
  { type, status = 200 }: { readonly type: string; readonly status?: ContentfulStatusCode },
): Promise<Response> {
  if (!mayCompress(c) || text.length < MIN_COMPRESSED_CHARS) return c.body(text, status, { 'content-type': type });
  const packed = await gzipText(text, LEVEL);
  return c.body(new Uint8Array(packed), status, { 'content-type': type, 'content-encoding': 'gzip' });
}

export function sendJson(c: Context, value: unknown, status: ContentfulStatusCode = 200): Promise<Response> {
  return sendText(c, JSON.stringify(value), { type: 'application/json', status });
}

/** With backpressure: nothing is read that the client has no room for. */
export function gzipStream(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  return body.pipeThrough(new CompressionStream('gzip'));
}

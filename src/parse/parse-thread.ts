// The entry of a parsing thread: one page at a time, in the order they come.

import { parentPort } from 'node:worker_threads';
import { extractors } from '../core/extract/extractors.ts';
import { createExtractorRegistry } from '../core/extract/registry.ts';
import { PinakesError } from '../core/model/errors.ts';
import { parsePage } from './parse-page.ts';
import type { ThreadReply, ThreadRequest } from './thread-messages.ts';

const port = parentPort;
if (port === null) throw new Error('parse-thread runs in a worker thread only');

const registry = createExtractorRegistry(extractors);

port.on('message', ({ page }: ThreadRequest) => {
  const reply = read(page);
  const body = reply.kind === 'parsed' ? reply.parsed.body.buffer : null;
  port.postMessage(reply, body instanceof ArrayBuffer ? [body] : []);
});
port.postMessage({ kind: 'ready' } satisfies ThreadReply);

function read(page: ThreadRequest['page']): ThreadReply {
  try {
    return { kind: 'parsed', parsed: parsePage(page, registry) };
  } catch (error) {
    const { name, stack = '' } = error instanceof Error ? error : new Error('not an error');
    const frames = stack
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n');
    if (error instanceof PinakesError) return { kind: 'failed', code: error.code, details: error.details, frames };
    return { kind: 'failed', code: 'internal', details: { why: `${name} while reading ${page.url}` }, frames };
  }
}

// A page whose response is an uncaught exception in the thread that crawls: for FAULT_DEADLY_PATH.

import { subscribe } from 'node:diagnostics_channel';
import { isMainThread } from 'node:worker_threads';

const deadly = process.env['FAULT_DEADLY_PATH'] ?? ' ';

if (!isMainThread)
  subscribe('undici:request:headers', (message) => {
    const { request } = message as { request: { path: string } };
    if (request.path === deadly)
      setImmediate(() => {
        throw new Error('a mistake in the crawl thread');
      });
  });

// Runs one competitor in a thread, so that a page it never finishes can be abandoned.

import { parentPort } from 'node:worker_threads';
import { competitors } from './extraction-competitors.ts';

interface ExtractRequest {
  readonly name: string;
  readonly url: string;
  readonly html: string;
}

parentPort?.on('message', (order: ExtractRequest) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  void respond(order).then((reply) => parentPort?.postMessage(reply));
});

async function respond({ name, url, html }: ExtractRequest): Promise<{ markdown: string; failed: boolean }> {
  try {
    const markdown = await competitors.find((rival) => rival.name === name)?.extract({ url, html });
    return { markdown: markdown ?? '', failed: false };
  } catch {
    return { markdown: '', failed: true };
  }
}

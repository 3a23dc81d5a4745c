// Runs one rival in a thread of its own, so that a page it never finishes can be given up.

import { parentPort } from 'node:worker_threads';
import { rivals } from './extraction-competitors.ts';

interface Order {
  readonly name: string;
  readonly url: string;
  readonly html: string;
}

parentPort?.on('message', (order: Order) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  void answer(order).then((reply) => parentPort?.postMessage(reply));
});

async function answer({ name, url, html }: Order): Promise<{ markdown: string; failed: boolean }> {
  try {
    const markdown = await rivals.find((rival) => rival.name === name)?.extract({ url, html });
    return { markdown: markdown ?? '', failed: false };
  } catch {
    return { markdown: '', failed: true };
  }
}

// Does something in every thread of the program when SIGUSR2 comes: only the main thread hears signals, and tells the others.

import { BroadcastChannel, isMainThread } from 'node:worker_threads';

export function onSignal(act: () => void): void {
  const channel = new BroadcastChannel('fault');
  channel.unref();
  if (!isMainThread) {
    channel.addEventListener('message', act);
    return;
  }
  process.on('SIGUSR2', () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between threads has none
    channel.postMessage('now');
    act();
  });
}

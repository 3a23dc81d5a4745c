// Runs a function in every thread of the program on SIGUSR2: only the main thread receives signals, and it notifies the
// others.

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

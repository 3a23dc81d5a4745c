import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createLog } from './log.ts';
import { createShutdown } from './shutdown.ts';

function started(deadlineMs = 5000) {
  const host = Object.assign(new EventEmitter(), {
    codes: [] as number[],
    exit: (code: number) => host.codes.push(code),
  });
  const lines: string[] = [];
  const log = createLog({ level: 'debug', now: () => new Date(0), write: (line) => void lines.push(line) });
  return { host, lines, shutdown: createShutdown({ log, deadlineMs, host }) };
}

const exited = (host: { codes: number[] }) => expect.poll(() => host.codes);

test('the first signal stops new work, then closes in reverse order, then ends well', async () => {
  const { host, shutdown } = started();
  const order: string[] = [];
  shutdown.signal.addEventListener('abort', () => order.push('stop'));
  shutdown.onClose('store', async () => {
    await Promise.resolve();
    order.push('store');
  });
  shutdown.onClose('server', () => order.push('server'));
  host.emit('SIGTERM');
  await exited(host).toEqual([0]);
  expect(order).toEqual(['stop', 'server', 'store']);
});

test('the second signal ends at once', async () => {
  const { host, shutdown } = started();
  shutdown.onClose('stuck', () => new Promise(() => {}));
  host.emit('SIGINT');
  host.emit('SIGINT');
  await exited(host).toEqual([130]);
});

test('a closer that does not end is named when the deadline has passed', async () => {
  const { host, lines, shutdown } = started(20);
  shutdown.onClose('store', () => {});
  shutdown.onClose('stuck', () => new Promise(() => {}));
  host.emit('SIGTERM');
  await exited(host).toEqual([1]);
  expect(lines.at(-1)).toContain('"closing":"stuck","left":["store"]');
});

test('a closer that fails does not keep the others from running', async () => {
  const { host, lines, shutdown } = started();
  let closed = false;
  shutdown.onClose('store', () => (closed = true));
  shutdown.onClose('server', () => {
    throw new Error('no');
  });
  host.emit('SIGTERM');
  await exited(host).toEqual([0]);
  expect(closed).toBe(true);
  expect(lines.join('')).toContain('"what":"server"');
});

test('closing twice closes once, and leaves no listener behind', async () => {
  const { host, shutdown } = started();
  let closings = 0;
  shutdown.onClose('store', () => (closings += 1));
  await Promise.all([shutdown.close(), shutdown.close()]);
  expect(closings).toBe(1);
  expect(host.listenerCount('SIGTERM') + host.listenerCount('SIGINT')).toBe(0);
  expect(host.codes).toEqual([]);
});

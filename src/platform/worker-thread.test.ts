import { once } from 'node:events';
import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test, vi } from 'vitest';
import { LINUX, needing } from '../../test/support/needs.ts';
import { pinakesError } from '../core/model/errors.ts';
import { createLog } from './log.ts';
import { createThreadPool } from './thread-pool.ts';
import {
  fromThreadFailure,
  startThread,
  type Thread,
  type ThreadContract,
  type ThreadOptions,
  toThreadFailure,
} from './worker-thread.ts';

const across = (error: unknown) => fromThreadFailure(structuredClone(toThreadFailure(error)));

test('a Pinakes error keeps its code, its details and its stack', () => {
  const error = pinakesError('database.full', { reason: 'no space left' });
  expect(across(error)).toMatchObject({ code: 'database.full', message: error.message, stack: error.stack });
});

test('any other error becomes internal and keeps its message', () => {
  expect(across(new TypeError('x is not a function'))).toMatchObject({
    code: 'internal',
    details: { reason: 'x is not a function' },
  });
  expect(across('a text')).toMatchObject({ code: 'internal', details: { reason: 'a text' } });
});

interface TestContract extends ThreadContract {
  readonly input: { readonly do: string; readonly bytes?: Uint8Array<ArrayBuffer> };
  readonly result: unknown;
  readonly progress: number;
}

/** The modules of this folder, as a thread that is a data URL can import them. */
const module = (name: string) => JSON.stringify(new URL(`./${name}.ts`, import.meta.url).href);
const threadUrl = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);

const SERVING = threadUrl(`
import { setTimeout as wait } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { serveThread } from ${module('serve-thread')};
import { pinakesError } from ${module('../core/model/errors')};
const seen = [];
serveThread({
  open: async (data, { ending, createLog }) => {
    if (data.openMs) await wait(data.openMs, undefined, { signal: ending });
    if (data.fails) throw pinakesError('embed.packages-missing', { packages: 'x' });
    const actions = {
      thread: () => threadId,
      environment: () => Object.keys(process.env).length,
      seen: () => seen,
      fail: () => { throw pinakesError('source.unknown', { source: 'x' }); },
      loop: () => { for (;;); },
      throw: () => setImmediate(() => { throw new RangeError('later'); }) && new Promise(() => {}),
      exit: () => process.exit(0),
      fill: () => { const all = []; for (;;) all.push({ nth: all.length, more: [all.length] }); },
      log: () => createLog('info').warn('a line', { nth: 7 }),
      progress: (_, { onProgress }) => { onProgress(1); onProgress(2); },
      bytes: ({ bytes }) => bytes,
      uncloneable: () => () => 1,
      wait: (_, { signal }) => wait(60_000, undefined, { signal }).catch(() => { seen.push('aborted'); throw signal.reason; }),
      deaf: () => wait(200).then(() => 'done'),
      finish: (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => setTimeout(resolve, 50, 'finished'))),
    };
    return {
      handle: (input, call) => { seen.push(input.do); return actions[input.do](input, call); },
      close: async () => { if (data.closeMs) await wait(data.closeMs); },
    };
  },
  transferOf: (result) => (result instanceof Uint8Array ? [result.buffer] : []),
});`);

const threads: Array<Thread<TestContract>> = [];
function aThread(options: Partial<ThreadOptions<TestContract>> = {}): Thread<TestContract> {
  const standard = { name: 'test', entry: SERVING, data: {}, env: 'none', maxHeapMb: 256, endMs: 5000 } as const;
  const thread = startThread<TestContract>({ ...standard, ...options });
  thread.ended.catch(() => undefined);
  threads.push(thread);
  return thread;
}
afterEach(async () => {
  await Promise.all(threads.splice(0).map((thread) => thread.end()));
});
const why = (text: string) => ({ code: 'internal', details: { reason: expect.stringContaining(text) as string } });

test('calls that overlap each get their own result', async () => {
  const thread = aThread();
  const [slow, fast] = [thread.call({ do: 'deaf' }), thread.call({ do: 'seen' })];
  expect(await fast).toEqual(['deaf', 'seen']);
  expect(await slow).toBe('done');
});

test('an error of a call arrives with its code, and the thread continues', async () => {
  const thread = aThread();
  await expect(thread.call({ do: 'fail' })).rejects.toMatchObject({ code: 'source.unknown', name: 'PinakesError' });
  await expect(thread.call({ do: 'uncloneable' })).rejects.toMatchObject(why('could not be cloned'));
  expect(await thread.call({ do: 'seen' })).toEqual(['fail', 'uncloneable', 'seen']);
});

test('progress goes to the call, log lines to the log', async () => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', now: () => new Date(0), write: (line) => void lines.push(line) });
  const thread = aThread({ log });
  const reported: number[] = [];
  await thread.call({ do: 'progress' }, { onProgress: (nth) => void reported.push(nth) });
  await thread.call({ do: 'log' });
  expect(reported).toEqual([1, 2]);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', message: 'a line', nth: 7 });
});

test('buffers move to the thread and back', async () => {
  const thread = aThread({ pack: (input) => ({ input, transfer: input.bytes ? [input.bytes.buffer] : [] }) });
  const bytes = Uint8Array.of(1, 2, 3);
  const moved = thread.call({ do: 'bytes', bytes });
  expect(bytes.byteLength).toBe(0);
  expect(await moved).toEqual(Uint8Array.of(1, 2, 3));
  await expect(thread.call({ do: 'bytes', bytes })).rejects.toMatchObject(why('cannot be sent'));
  expect(thread.isAlive()).toBe(true);
});

test('a thread sees no environment unless it inherits it', async () => {
  expect(await aThread().call({ do: 'environment' })).toBe(0);
  expect(await aThread({ env: 'inherit' }).call({ do: 'environment' })).toBeGreaterThan(0);
});

test('a thread that never answers the handshake is terminated, and its calls fail', async () => {
  const thread = aThread({ entry: threadUrl('setInterval(() => {}, 1000)'), startMs: 300 });
  await expect(thread.call({ do: 'seen' })).rejects.toMatchObject(why('within 300 ms'));
  await expect(thread.ended).rejects.toMatchObject(why('within 300 ms'));
});

test('loading has its own limit; that of a call begins after it', async () => {
  const thread = aThread({ data: { openMs: 600 }, startMs: 30_000, timeoutMs: 400 });
  expect(await thread.call({ do: 'seen' })).toEqual(['seen']);
  await expect(thread.call({ do: 'loop' })).rejects.toMatchObject(why('within 400 ms'));
  expect(thread.isAlive()).toBe(false);
});

const cpuTimed = (timeoutMs: number) => aThread({ clock: 'cpu', timeoutMs });

test(
  'by the processor clock a call may wait longer than its limit, and not work longer',
  needing('Node 22.20', 'cpuUsage' in Worker.prototype),
  async () => {
    const thread = cpuTimed(150);
    expect(await thread.call({ do: 'deaf' })).toBe('done');
    await expect(thread.call({ do: 'loop' })).rejects.toMatchObject(why('within 150 ms'));
    expect(thread.isAlive()).toBe(false);
  },
);

test('by the processor clock a call that waits for ever ends too', async () => {
  await expect(cpuTimed(50).call({ do: 'wait' })).rejects.toMatchObject(why('within 50 ms'));
});

test('a thread that cannot be opened fails its calls with the reason', async () => {
  const thread = aThread({ data: { fails: true } });
  await expect(thread.call({ do: 'seen' })).rejects.toMatchObject({ code: 'embed.packages-missing' });
  await expect(thread.ended).rejects.toMatchObject({ code: 'embed.packages-missing' });
});

test.each([
  ['throws', 'throw', { name: 'RangeError', message: 'later' }],
  ['exits', 'exit', why('exited unexpectedly')],
  ['exhausts its memory', 'fill', why('ran out of memory')],
])('a thread that %s in a call rejects all its calls and later ones', async (_, what, error) => {
  const thread = aThread({ maxHeapMb: 16 });
  const other = thread.call({ do: 'wait' });
  other.catch(() => undefined);
  await expect(thread.call({ do: what })).rejects.toMatchObject(error);
  await expect(other).rejects.toMatchObject(error);
  await expect(thread.ended).rejects.toMatchObject(error);
  await expect(thread.call({ do: 'seen' })).rejects.toMatchObject(error);
});

test('an aborted call rejects at once, is cancelled in the thread, and is in flight until then', async () => {
  const thread = aThread();
  const stop = new AbortController();
  const call = thread.call({ do: 'wait' }, { signal: stop.signal });
  await thread.call({ do: 'seen' });
  const idle = new Promise<void>((resolve) => thread.onIdle(resolve));
  stop.abort(new Error('not wanted'));
  await expect(call).rejects.toThrow('not wanted');
  await idle;
  expect(await thread.call({ do: 'seen' })).toEqual(['wait', 'seen', 'aborted', 'seen']);
  await expect(thread.call({ do: 'wait' }, { signal: stop.signal })).rejects.toThrow('not wanted');
});

test('where a call cannot notice a cancellation, an abort terminates the thread', async () => {
  const thread = aThread({ onAbort: 'terminate' });
  await thread.call({ do: 'seen' });
  const stop = new AbortController();
  const call = thread.call({ do: 'loop' }, { signal: stop.signal });
  stop.abort(new Error('stop'));
  await expect(call).rejects.toThrow('stop');
  expect(thread.isAlive()).toBe(false);
  await thread.ended;
});

test('a thread that is asked to end lets its calls finish and closes', async () => {
  const thread = aThread({ endMs: Infinity });
  const call = thread.call({ do: 'finish' });
  await thread.call({ do: 'seen' });
  await Promise.all([thread.end(), thread.end()]);
  expect(await call).toBe('finished');
  await thread.ended;
  await expect(thread.call({ do: 'seen' })).rejects.toMatchObject(why('was closed'));
});

test('a thread that takes too long to end is terminated', async () => {
  const thread = aThread({ data: { closeMs: 60_000 }, endMs: 100 });
  await thread.call({ do: 'seen' });
  const call = thread.call({ do: 'wait' });
  call.catch(() => undefined);
  await thread.end();
  await expect(call).rejects.toMatchObject(why('was closed'));
  await thread.ended;
});

/** Far below what the threads would take, far above what a loaded machine needs to start one. */
const AT_ONCE_MS = 20_000;

test.each([
  ['is terminated at once', { entry: threadUrl('setInterval(() => {}, 1000)'), endMs: 60_000 }],
  [
    'ends when it hears of it, if it must not be terminated',
    { data: { openMs: 60_000 }, endMs: Infinity, neverTerminate: true },
  ],
])('a thread that is still loading %s', async (_, options) => {
  const startedAt = performance.now();
  await aThread(options).end();
  expect(performance.now() - startedAt).toBeLessThan(AT_ONCE_MS);
});

function aPool({ maxThreads = 1, idleMs = Infinity } = {}, options: Partial<ThreadOptions<TestContract>> = {}) {
  const closedError = () => new Error('the pool was closed');
  return createThreadPool<TestContract>({ maxThreads, idleMs, start: () => aThread(options), closedError });
}

test('a pool runs one call per thread; the others wait in order, urgent ones first', async () => {
  const pool = aPool({ maxThreads: 1 });
  const done: string[] = [];
  const call = (name: string, isUrgent = false) => pool.call({ do: 'deaf' }, { isUrgent }).then(() => done.push(name));
  const calls = [call('first'), call('second'), call('third'), call('urgent', true)];
  expect(pool.waiting()).toBe(3);
  await Promise.all(calls);
  expect(done).toEqual(['first', 'urgent', 'second', 'third']);
  await pool.close();
});

test('groups share the time of a pool, however many calls one of them has waiting (finding V04)', async () => {
  const pool = aPool({ maxThreads: 1 });
  const done: string[] = [];
  const call = (group: string) => pool.call({ do: 'deaf' }, { group }).then(() => done.push(group));
  await Promise.all([...Array.from({ length: 6 }, () => call('slow')), call('good'), call('good')]);
  expect(done.slice(0, 4).filter((group) => group === 'good')).toHaveLength(2);
  await pool.close();
});

test('a pool starts no more threads than allowed, and replaces one that died', async () => {
  const pool = aPool({ maxThreads: 2 });
  await Promise.all([1, 2, 3, 4].map(() => pool.call({ do: 'deaf' })));
  expect(threads).toHaveLength(2);
  await expect(pool.call({ do: 'exit' })).rejects.toMatchObject(why('exited unexpectedly'));
  await Promise.all([pool.call({ do: 'deaf' }), pool.call({ do: 'deaf' })]);
  expect(threads.filter((thread) => thread.isAlive())).toHaveLength(2);
  expect(threads).toHaveLength(3);
  await pool.close();
});

test('a call that follows another one uses its thread, after an error too', async () => {
  const pool = aPool({ maxThreads: 2 });
  for (const what of ['thread', 'fail', 'thread', 'fail', 'thread'])
    await pool.call({ do: what }).catch(() => undefined);
  expect(threads).toHaveLength(1);
  await pool.close();
});

test('an idle thread ends, and the next call starts another one', async () => {
  const pool = aPool({ idleMs: 100 });
  const before = await pool.call({ do: 'thread' });
  expect(await pool.call({ do: 'thread' })).toBe(before);
  await vi.waitFor(() => expect(threads[0]?.isAlive()).toBe(false), { timeout: 20_000 });
  expect(await pool.call({ do: 'thread' })).not.toBe(before);
  await pool.close();
});

test('an aborted call leaves the queue, and a cancelled one keeps its thread until it has ended', async () => {
  const pool = aPool();
  const [running, waiting] = [new AbortController(), new AbortController()];
  const first = pool.call({ do: 'deaf' }, { signal: running.signal });
  const second = pool.call({ do: 'fail' }, { signal: waiting.signal });
  const third = pool.call({ do: 'seen' });
  waiting.abort(new Error('left'));
  running.abort(new Error('stopped'));
  await expect(second).rejects.toThrow('left');
  await expect(first).rejects.toThrow('stopped');
  expect(pool.waiting()).toBe(1);
  expect(await third).toEqual(['deaf', 'seen']);
  await pool.close();
});

test('closing a pool rejects what waits and what comes later', async () => {
  const pool = aPool({}, { endMs: 0 });
  const calls = [pool.call({ do: 'wait' }), pool.call({ do: 'seen' })].map((call) => call.catch(String));
  await pool.close();
  expect(await Promise.all(calls)).toEqual([expect.stringContaining('was closed'), 'Error: the pool was closed']);
  await expect(pool.call({ do: 'seen' })).rejects.toThrow('the pool was closed');
});

const inThread = `
const { parentPort, workerData, Worker } = require('node:worker_threads');
const { getPriority } = require('node:os');
const child = "require('node:worker_threads').parentPort.postMessage(require('node:os').getPriority())";
import(workerData).then(({ lowerPriority }) => {
  lowerPriority(3);
  new Worker(child, { eval: true }).on('message', (later) => parentPort.postMessage([getPriority(), later]));
});`;

test('a lowered priority applies to the thread and its children only', LINUX, async () => {
  const before = getPriority();
  const workerData = new URL('./serve-thread.ts', import.meta.url).href;
  const [priorities] = (await once(new Worker(inThread, { eval: true, workerData }), 'message')) as [number[]];
  const lower = Math.min(19, before + 3);
  expect(priorities).toEqual([lower, lower]);
  expect(getPriority()).toBe(before);
});

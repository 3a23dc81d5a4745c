import { expect, test } from 'vitest';
import { createLog, createRelayedLog, relayLine, type LogFields, type LogLevel } from './log.ts';
import { createRedactor } from './redact.ts';

function written(level: LogLevel = 'info', secrets: readonly string[] = []) {
  const lines: string[] = [];
  const log = createLog({
    level,
    now: () => new Date(0),
    write: (line) => void lines.push(line),
    redact: createRedactor(secrets),
  });
  return { log, lines, records: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

test('a line is one JSON object with time, level, message and fields', () => {
  const { log, lines } = written();
  log.info('fetched', { url: 'https://a.dev/x', bytes: 12 });
  expect(lines).toEqual([
    '{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"fetched","url":"https://a.dev/x","bytes":12}\n',
  ]);
});

test('lines below the level are not written', () => {
  const { log, records } = written('warn');
  log.debug('a');
  log.info('b');
  log.warn('c');
  log.error('d');
  expect(records().map(({ message }) => message)).toEqual(['c', 'd']);
  const { log: silent, lines } = written('silent');
  silent.error('e');
  expect(lines).toEqual([]);
});

test('a child carries its fields, and none can stand for the message', () => {
  const { log, records } = written();
  log.with({ run: 'r1' }).with({ worker: 2 }).warn('lost', { message: 'other', level: 'debug', run: 'r2' });
  expect(records()).toEqual([
    { time: '1970-01-01T00:00:00.000Z', level: 'warn', message: 'lost', run: 'r2', worker: 2 },
  ]);
});

test('red-12: an error is written with its causes, free of headers and secrets', () => {
  const { log, lines, records } = written();
  const cause = Object.assign(new Error('GET https://u:hidden1@h/x failed'), { request: { cookie: 'hidden2' } });
  log.error('failed', { error: new Error('outer', { cause }) });
  expect(records()[0]).toMatchObject({
    error: { name: 'Error', message: 'outer', cause: { message: 'GET https://[redacted]@h/x failed' } },
  });
  expect(lines.join('')).not.toContain('hidden');
});

test('red-15: the detail of a database error, which quotes rows, is not written', () => {
  const { log, lines, records } = written();
  const error = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (token)=(hidden)' });
  log.error('not stored', { error });
  expect(records()[0]).toMatchObject({ error: { code: '23505', message: 'duplicate key' } });
  expect(lines.join('')).not.toContain('hidden');
});

test('red-11, red-16: fields that are secret by name are masked, however deep they stand', () => {
  const { log, lines } = written();
  log.info('config', { env: { A: 'hidden' }, source: [{ headers: { authorization: 'hidden' } }], password: null });
  expect(lines[0]).toContain(
    '"env":"[redacted]","source":[{"headers":{"authorization":"[redacted]"}}],"password":null',
  );
});

test('red-18: a configured secret is never written', () => {
  const { log, lines } = written('info', ['correct-horse']);
  log.info('said correct-horse', { at: Buffer.from('correct-horse').toString('base64') });
  expect(lines[0]).toContain('"message":"said [redacted]","at":"[redacted]=="');
});

test.each<[string, LogFields, unknown]>([
  ['a circle', circle(), expect.anything()],
  ['a big number', { value: 1n }, '1'],
  ['a wrong date', { value: new Date(Number.NaN) }, null],
  ['bytes', { value: new Uint8Array(3) }, '[3 bytes]'],
  ['a long text', { value: 'a'.repeat(9000) }, `${'a'.repeat(8192)}… (9000 characters)`],
])('%s does not break the log', (_, fields, expected) => {
  const { log, records } = written();
  log.info('odd', fields);
  expect(records()[0]).toMatchObject({ message: 'odd', value: expected });
});

function circle(): LogFields {
  const value: Record<string, unknown> = {};
  value['value'] = value;
  return value;
}

test('the main thread writes a line of a worker thread, without secrets', () => {
  const { log, lines, records } = written('debug', ['hunter2-hunter2']);
  const thread = createRelayedLog('info', (line) => relayLine(line, log)).with({ run: 7 });
  thread.warn('it said hunter2-hunter2', { error: new Error('no') });
  thread.debug('below the level');
  expect(records()).toMatchObject([{ level: 'warn', run: 7, error: { name: 'Error', message: 'no' } }]);
  expect(lines[0]).not.toContain('hunter2');
});

test('a warning that repeats is written once a minute, with how often it was left out', () => {
  const lines: string[] = [];
  let ms = 0;
  const log = createLog({ level: 'info', now: () => new Date(ms), write: (line) => void lines.push(line) });
  for (let nth = 0; nth < 5; nth += 1) log.warn('the database is away', { loop: 'claim' });
  log.with({ loop: 'embed' }).warn('the database is away');
  log.info('said twice');
  log.info('said twice');
  ms = 61_000;
  log.warn('the database is away', { loop: 'claim' });
  const shown = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(shown.map(({ message, loop, repeated }) => [message, loop, repeated])).toEqual([
    ['the database is away', 'claim', undefined],
    ['the database is away', 'embed', undefined],
    ['said twice', undefined, undefined],
    ['said twice', undefined, undefined],
    ['the database is away', 'claim', 4],
  ]);
});

import { expect, test } from 'vitest';
import { createLog } from './log.ts';
import { createRedactor } from './redact.ts';
import { createRelayedLog, relay } from './relayed-log.ts';

test('a line of a thread is written by the log of the main thread, without its secrets', () => {
  const lines: string[] = [];
  const redact = createRedactor(['hunter2-hunter2']);
  const log = createLog({ level: 'debug', now: () => new Date(0), write: (line) => void lines.push(line), redact });
  const thread = createRelayedLog('info', (line) => relay(line, log)).with({ run: 7 });
  thread.warn('it said hunter2-hunter2', { error: new Error('no') });
  thread.debug('not wanted');
  expect(lines).toHaveLength(1);
  const [line] = lines.map((text) => JSON.parse(text) as Record<string, unknown>);
  expect(line).toMatchObject({ level: 'warn', run: 7, error: { name: 'Error', message: 'no' } });
  expect(lines[0]).not.toContain('hunter2');
});

import { expect, test } from 'vitest';
import { PinakesError, pinakesError } from '../../../core/model/errors.ts';
import { createTerminalOutput, renderLogLine } from './terminal-output.ts';

test('a message appears above the status lines, which are drawn again (finding T2.8)', () => {
  let written = '';
  const output = createTerminalOutput((text) => (written += text));
  output.showStatus(['one', 'two']);
  output.write('a message\n');
  output.showStatus([]);
  const eraseTwo = '\u001b[2A\u001b[0J';
  expect(written).toBe(`one\ntwo\n${eraseTwo}a message\none\ntwo\n${eraseTwo}`);
});

test('a terminal shows only warnings and errors of the log, as sentences (finding T2.8)', () => {
  const line = (fields: object): string => JSON.stringify({ time: '2026-01-01T00:00:00Z', ...fields });
  expect(renderLogLine(line({ level: 'info', message: 'shutting down', signal: 'SIGINT' }))).toBeNull();
  expect(renderLogLine(line({ level: 'warn', message: 'process 7 is busy' }))).toBe('Warning: process 7 is busy.\n');
  expect(
    renderLogLine(
      line({ level: 'error', message: 'failed to close', url: 'https://x.dev/', error: { message: 'EIO' } }),
    ),
  ).toBe('Error: failed to close (https://x.dev/: EIO).\n');
});

test('nothing that a site or a server sent controls the terminal, in errors and in the log (finding V34)', () => {
  const hostile = 'application/\u009b31m\u001b]0;title\u0007\u202ex';
  // oxlint-disable-next-line no-control-regex
  const controls = /[\u0000-\u001f\u007f-\u009f\u202e]/;
  const own = pinakesError('section.unknown', { url: 'https://x.dev/', section: hostile, known: hostile });
  const said = new PinakesError('internal', {}, undefined, { message: hostile, nextStep: hostile });
  const logged = renderLogLine(JSON.stringify({ level: 'warn', message: 'failed', error: { message: hostile } }));
  for (const text of [own.message, said.message, said.nextStep, logged?.trimEnd()]) {
    expect(text).toContain('application/');
    expect(text).not.toMatch(controls);
  }
});

import { expect, test } from 'vitest';
import { errorCatalog, PinakesError, pinakesError } from '../core/model/errors.ts';
import { toPublicError } from './public-error.ts';

test('an error speaks the language of the interface that it came through', () => {
  const unknown = pinakesError('source.unknown', { source: 'docs' });
  expect(unknown.nextStep).toBe('Run pinakes list to see all sources');
  expect(toPublicError(unknown).nextStep).toBe('GET /api/sources lists all sources');
  expect(toPublicError(unknown, 'agent').nextStep).toBe('Call list_sources to see all sources');
  const busy = pinakesError('source.busy', { source: 'docs', run: 7 });
  expect(toPublicError(busy).nextStep).toBe('GET /api/runs/7 shows it, POST /api/runs/7/stop stops it');
});

test('what a server says over HTTP is a command again for a command line that uses it', () => {
  const said = { message: 'There is no source docs', nextStep: 'GET /api/sources lists all sources' };
  const error = new PinakesError('source.unknown', { source: 'docs' }, undefined, said);
  expect([error.message, error.nextStep]).toEqual([said.message, 'Run pinakes list to see all sources']);
});

/** Their next step is on the machine of the operator, where commands are. */
const OPERATOR =
  /^(?:backup|bundle|chunk|config|database|embed|files|http|index|internal|library|mcp|model|owner|render|server|setup|sink)\b/;

test('no error that a request can cause names a command', () => {
  const naming = errorCatalog().filter(
    ({ code, nextStep = '', httpStep }) => !OPERATOR.test(code) && /\bpinakes \w|\s--\w/.test(httpStep ?? nextStep),
  );
  expect(naming.map(({ code }) => code)).toEqual([]);
});

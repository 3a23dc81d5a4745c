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

test('a program that calls the library is told what to call (finding T21)', () => {
  const unknown = pinakesError('source.unknown', { source: 'docs' }).forProgram();
  expect(unknown.nextStep).toBe('library.sources.list() lists all sources');
  expect(pinakesError('source.busy', { source: 'docs', run: 7 }).forProgram().nextStep).toContain('library.run(7)');
});

/** Their next step is on the machine of the operator, where commands are. */
const OPERATOR = /^(?:agents-md|backup|config|database|embed|http|internal|mcp|owner|server|setup|sink)\b/;

test('no error that a request can cause names a command or a variable (finding T21)', () => {
  const isOfShell = (step: string): boolean => /\bpinakes \w|\s--\w|PINAKES_|\bnpm [a-z]/.test(step);
  const naming = errorCatalog().filter(
    ({ code, nextStep = '', httpStep = nextStep, programStep = httpStep }) =>
      !OPERATOR.test(code) && (isOfShell(httpStep) || isOfShell(programStep)),
  );
  expect(naming.map(({ code }) => code)).toEqual([]);
});

import { expect, test } from 'vitest';
import { createSecretFor, secretEnvValues } from './secrets.ts';

const OPENED = ['DOCS_TOKEN@https://docs.corp.example', 'EMPTY@https://docs.corp.example'];
const ENV = { DOCS_TOKEN: 'tell-nobody', OTHER: 'not yours' };
const secretFor = createSecretFor(OPENED, ENV);

test('a secret is given for the origin that the operator opened it for', () => {
  expect(secretFor('DOCS_TOKEN', 'https://docs.corp.example')).toEqual({ kind: 'secret', value: 'tell-nobody' });
});

test('it is given for no other origin, and no other variable is given at all', () => {
  for (const origin of ['http://docs.corp.example', 'https://docs.corp.example:8443', 'https://evil.example']) {
    expect(secretFor('DOCS_TOKEN', origin)).toEqual({ kind: 'not-opened' });
  }
  expect(secretFor('OTHER', 'https://docs.corp.example')).toEqual({ kind: 'not-opened' });
  expect(secretFor('EMPTY', 'https://docs.corp.example')).toEqual({ kind: 'empty' });
});

test('the redactor learns every value', () => {
  expect(secretEnvValues(OPENED, ENV)).toEqual(['tell-nobody']);
});

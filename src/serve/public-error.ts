// How a failure is told to whoever asks from outside: without paths, addresses or processes of this machine.

import type { PinakesError } from '../core/model/errors.ts';

export interface OutsideSentence {
  readonly message: string;
  readonly nextStep: string | null;
}

/** Failures whose own sentence tells of the inside, by the first word of their code. */
const INSIDE: Readonly<Record<string, string>> = {
  database: 'The database cannot be used at the moment',
  embed: 'The model cannot be used at the moment',
  internal: 'Something went wrong inside',
  owner: 'The library is held by another process',
};

export function outsideSentence({ code, message, nextStep }: PinakesError): OutsideSentence {
  const general = INSIDE[code.split('.')[0] ?? ''];
  return general === undefined
    ? { message, nextStep }
    : { message: general, nextStep: 'The log of the server says more' };
}

// How a failure looks over HTTP: the catalogue's code and sentence, and nothing of the inside.

import { PinakesError, pinakesError } from '../../core/model/errors.ts';
import { outsideSentence } from '../public-error.ts';

export interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly nextStep: string | null;
    readonly requestId: string;
  };
}

/** Whatever is not in the catalogue is an accident of ours: its text stays in the log. */
export function asKnown(error: unknown): PinakesError {
  return error instanceof PinakesError ? error : pinakesError('internal', { why: 'the log says more' }, error);
}

export function errorBody(error: PinakesError, requestId: string): ErrorBody {
  return { error: { code: error.code, ...outsideSentence(error), requestId } };
}

// What programs import as `pinakes`.

export { PinakesError, type ErrorCode } from './core/model/errors.ts';

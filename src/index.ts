// The public API of the package `pinakes`.

export { PinakesError, type ErrorCode } from './core/model/errors.ts';

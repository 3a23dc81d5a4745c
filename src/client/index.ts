// The public API of `pinakes/client`: a library on a server, in Node, browsers and edge runtimes.

export { connect, type ConnectOptions } from './connect.ts';
export type { Library, LibraryWebhooks, ScopedLibrary, Sources } from './library.ts';
export type { ChangeOptions } from './follow-changes.ts';
export type { CallOptions, EventOptions } from './transport.ts';
export type { RunHandle } from './run-handle.ts';
export type { ActionInput, ActionName, ActionOutput } from '../actions/actions.ts';
export { PinakesError, type ErrorCode } from '../core/model/errors.ts';

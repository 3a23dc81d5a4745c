// The public API of the package `pinakes`: a library in this process.

export { openLibrary, type LibraryOptions, type LogEntry } from './compose/open-library.ts';
export type { Library, LibraryWebhooks, ScopedLibrary, Sources } from './client/library.ts';
export type { ChangeOptions } from './client/follow-changes.ts';
export type { CallOptions, EventOptions } from './client/transport.ts';
export type { RunHandle } from './client/run-handle.ts';
export type { ActionInput, ActionName, ActionOutput } from './actions/actions.ts';
export { PinakesError, type ErrorCode } from './core/model/errors.ts';

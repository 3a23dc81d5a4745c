// The port of embedding: from texts to vectors of one space.

import type { LocalModel } from '../core/vector/local-model.ts';
import type { SpaceSettings } from '../core/vector/space.ts';

export type Role = 'query' | 'passage';

/** One text's outcome. A bad text fails alone; the texts beside it have their vectors. */
export type EmbedOutcome =
  | { readonly kind: 'embedded'; readonly vector: Float32Array }
  /** Asking again with the same text would fail again. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface EmbedHealth {
  readonly state: 'ready' | 'resting' | 'failing';
  /** What went wrong last; null while nothing did. */
  readonly reason: string | null;
}

/**
 * Embeds texts in one space.
 *
 * Outcomes stand in the order of the texts, one for each. Vectors have length 1 and the space's dimensions. A text that
 * is longer than the model reads is cut, never refused for its length. The same text gives the same vector whatever
 * stands beside it, but for rounding.
 *
 * When the model itself cannot answer, the call rejects with a `PinakesError`: a retryable one (`embed.unavailable`,
 * `embed.throttled`, `embed.timeout`) may succeed later, another (`embed.refused`, `embed.dimensions`) needs an operator. Nothing is
 * stored here. An aborted call rejects with the signal's reason.
 *
 * test/embed/embedder.contract.ts shows each of these sentences for every adapter.
 */
export interface Embedder {
  readonly space: SpaceSettings;
  /** A guess that costs little, to fill batches. */
  countTokens(text: string): number;
  embed(texts: readonly string[], role: Role, signal?: AbortSignal): Promise<readonly EmbedOutcome[]>;
  health(): EmbedHealth;
  /** Must be called before the process ends. What is waiting is rejected. */
  close(): Promise<void>;
}

/** One question to a server, as the remote adapters ask it. Whoever composes the program gives one that is guarded. */
export interface ServerAnswer {
  readonly status: number;
  readonly body: string;
  readonly retryAfterMs: number | null;
}

export type ServerOutcome =
  | ({ readonly kind: 'answered' } & ServerAnswer)
  /** No whole answer came. */
  | { readonly kind: 'unanswered'; readonly reason: string; readonly isTimeout: boolean; readonly retryable: boolean };

export interface ServerQuestion {
  readonly url: string;
  /** Null asks with GET. */
  readonly json: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

export type AskServer = (question: ServerQuestion, signal?: AbortSignal) => Promise<ServerOutcome>;

export type ModelBytes = Readonly<Record<keyof LocalModel['files'], Uint8Array>>;

/** Models on this machine. `keep` replaces a model of the same name in one step; a kill leaves the old one or the new one. */
export interface ModelShelf {
  keep(model: LocalModel, files: ModelBytes): Promise<void>;
  /** A file anywhere on this machine; null where there is none. */
  read(path: string): Promise<Uint8Array | null>;
  /** Those whose files are the ones that were pulled. */
  list(): Promise<readonly LocalModel[]>;
}

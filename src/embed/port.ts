// The port of embedding: turns texts into vectors of one space.

import type { LocalModel } from '../core/vector/local-model.ts';
import type { SpaceSettings } from '../core/vector/space.ts';

/**
 * @example
 * const prefixOf = (role: Role): string => (role === 'query' ? 'query: ' : 'passage: ');
 */
export type Role = 'query' | 'passage';

/**
 * The outcome for one text. A bad text fails alone; the others get their vectors.
 *
 * @example
 * const outcome: EmbedOutcome = { kind: 'embedded', vector: new Float32Array([0.6, 0.8]) };
 */
export type EmbedOutcome =
  | { readonly kind: 'embedded'; readonly vector: Float32Array }
  /** A retry with the same text would fail again. */
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * @example
 * const health: EmbedHealth = { state: 'failing', reason: 'the model server does not respond' };
 */
export interface EmbedHealth {
  readonly state: 'ready' | 'failing';
  /** The last error; null while there is none. */
  readonly reason: string | null;
}

/**
 * Embeds texts in one space.
 *
 * There is one outcome per text, in the order of the texts. Vectors are unit vectors with the space's dimensions. A text
 * longer than the model's limit is truncated, never refused for its length. The same text gives the same vector whatever
 * else is in the batch, except for rounding.
 *
 * If the model itself fails, the call rejects with a `PinakesError`: a retryable one (`embed.unavailable`,
 * `embed.throttled`, `embed.timeout`) may succeed later, another (`embed.rejected`, `embed.dimensions`) needs an operator.
 * Nothing is stored. An aborted call rejects with the signal's reason.
 *
 * @example
 * const open = (embed: Embedder): Promise<Library> => openLibrary({ dataDir: './library', embed });
 */
export interface Embedder {
  readonly space: SpaceSettings;
  /** A cheap estimate, to fill batches. */
  countTokens(text: string): number;
  embed(texts: readonly string[], role: Role, signal?: AbortSignal): Promise<readonly EmbedOutcome[]>;
  health(): EmbedHealth;
  /** Must be called before the process exits. Waiting texts are rejected. */
  close(): Promise<void>;
}

export interface ServerResponse {
  readonly status: number;
  readonly body: string;
  readonly retryAfterMs: number | null;
}

export type ServerOutcome =
  | ({ readonly kind: 'answered' } & ServerResponse)
  /** There was no complete response. */
  | { readonly kind: 'unanswered'; readonly reason: string; readonly isTimeout: boolean; readonly retryable: boolean };

export interface ServerRequest {
  readonly url: string;
  /** Null sends a GET request. */
  readonly json: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends a JSON request to an embedding server. The composition root provides one behind the SSRF guard. */
export type SendRequest = (request: ServerRequest, signal?: AbortSignal) => Promise<ServerOutcome>;

export type ModelBytes = Readonly<Record<keyof LocalModel['files'], Uint8Array>>;

/** Models on this machine. `save` replaces a model of the same name atomically: a crash leaves the old or the new one. */
export interface ModelStore {
  save(model: LocalModel, files: ModelBytes): Promise<void>;
  /** A file anywhere on this machine; null if there is none. */
  read(path: string): Promise<Uint8Array | null>;
  /** Models whose files match their manifest. */
  list(): Promise<readonly LocalModel[]>;
}

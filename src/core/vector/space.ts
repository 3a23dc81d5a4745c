// An embedding space: everything that decides whether two vectors are comparable. Wrong pooling or a missing prefix fails
// silently, so each is part of the space's fingerprint.

export type Pooling = 'mean' | 'cls' | 'last';

/**
 * @example
 * const isSmall = ({ dimensions }: SpaceSettings): boolean => dimensions <= 384;
 */
export interface SpaceSettings {
  /** The model's own name, such as `sentence-transformers/all-MiniLM-L6-v2`. */
  readonly model: string;
  /** Distinguishes releases of the model: a hash of its file, or what a server reports. Empty if unknown. */
  readonly revision: string;
  /** Type of the weights: `q8`, `fp32`, or what a server reports. */
  readonly dtype: string;
  /** `server` if a server decides and does not report it. */
  readonly pooling: Pooling | 'server';
  /** Prepended to a query, and to a passage. */
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  /** `TEXT_FORMAT_VERSION` of the embedded texts. */
  readonly textFormat: number;
  /** Longer texts are truncated. */
  readonly maxTokens: number;
  readonly dimensions: number;
}

/**
 * What vectors carry with them: equal fingerprints mean that they may be compared.
 *
 * @example
 * const columnOf = ({ dimensions }: EmbeddingSpace): string => `vector(${dimensions})`;
 */
export interface EmbeddingSpace {
  /** Model, revision and everything else that decides whether vectors may be compared. */
  readonly fingerprint: string;
  readonly dimensions: number;
}

const FIELDS = [
  'model',
  'revision',
  'dtype',
  'pooling',
  'queryPrefix',
  'passagePrefix',
  'textFormat',
  'maxTokens',
  'dimensions',
] as const satisfies ReadonlyArray<keyof SpaceSettings>;

/** Vectors with equal fingerprints are comparable. The field order is fixed, and values are escaped. */
export function fingerprintOf(settings: SpaceSettings): string {
  return FIELDS.map((field) => `${field}=${encodeURIComponent(String(settings[field]))}`).join('&');
}

/** The settings that a fingerprint encodes. */
export function parseFingerprint(
  fingerprint: string,
): Pick<SpaceSettings, 'model' | 'queryPrefix' | 'passagePrefix' | 'maxTokens'> {
  const fields = new URLSearchParams(fingerprint);
  return {
    model: fields.get('model') ?? '',
    queryPrefix: fields.get('queryPrefix') ?? '',
    passagePrefix: fields.get('passagePrefix') ?? '',
    maxTokens: Number(fields.get('maxTokens')),
  };
}

/** With fewer vectors, texts without one would rank lower for no good reason. */
const MIN_EMBEDDED_SHARE = 0.9;

/** From then on searches use a space. */
export function isMostlyEmbedded({
  pending,
  embedded,
}: {
  readonly pending: number;
  readonly embedded: number;
}): boolean {
  return embedded >= MIN_EMBEDDED_SHARE * (embedded + pending);
}

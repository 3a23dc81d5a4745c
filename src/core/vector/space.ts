// A space of vectors: everything that decides whether two vectors may be compared. Wrong pooling or a missing prefix fails
// silently, so each of them is part of the space's name.

export type Pooling = 'mean' | 'cls' | 'last';

export interface SpaceSettings {
  /** As the model calls itself, such as `sentence-transformers/all-MiniLM-L6-v2`. */
  readonly model: string;
  /** What tells two releases of the model apart: a hash of its file, or what a server says. Empty where nobody says. */
  readonly revision: string;
  /** Of the weights: `q8`, `fp32`, or what a server says. */
  readonly dtype: string;
  /** `server` where a server decides and does not say. */
  readonly pooling: Pooling | 'server';
  /** What is put before a question, and before a passage. */
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  /** Which form of `passageText` was embedded. */
  readonly textForm: number;
  /** Longer texts are cut here. */
  readonly maxTokens: number;
  readonly dimensions: number;
}

const FIELDS = [
  'model',
  'revision',
  'dtype',
  'pooling',
  'queryPrefix',
  'passagePrefix',
  'textForm',
  'maxTokens',
  'dimensions',
] as const satisfies ReadonlyArray<keyof SpaceSettings>;

/** Equal fingerprints, comparable vectors. The order of the fields is fixed, and no value can pass for another field. */
export function fingerprintOf(settings: SpaceSettings): string {
  return FIELDS.map((field) => `${field}=${encodeURIComponent(String(settings[field]))}`).join('&');
}

/** What a fingerprint says of how a model was asked. */
export function settingsOf(
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

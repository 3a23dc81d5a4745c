// Tokens of a model, counted by its own tokenizer.

/** A variable, because the types of its vocabulary take the compiler seconds. */
const TOKENIZER: string = 'gpt-tokenizer/encoding/o200k_base';

interface Tokenizer {
  readonly encode: (text: string, options: { readonly disallowedSpecial: ReadonlySet<string> }) => readonly number[];
  readonly decode: (tokens: readonly number[]) => string;
}

const { encode, decode } = (await import(TOKENIZER)) as Tokenizer;

function tokensOf(text: string): readonly number[] {
  // Special tokens in a text are text.
  return encode(text, { disallowedSpecial: new Set() });
}

export function countTokens(text: string): number {
  return tokensOf(text).length;
}

/** The beginning of a text that has so many tokens. */
export function firstTokens(text: string, count: number): string {
  return decode(tokensOf(text).slice(0, count));
}

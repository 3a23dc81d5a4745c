// Tokens of a model, counted by its own tokenizer.

/** A variable, because the types of its vocabulary take the compiler seconds. */
const TOKENIZER: string = 'gpt-tokenizer/encoding/o200k_base';

interface Tokenizer {
  readonly encode: (text: string, options: { readonly disallowedSpecial: ReadonlySet<string> }) => readonly number[];
}

const { encode } = (await import(TOKENIZER)) as Tokenizer;

/** Special tokens in a text are text. */
export function countTokens(text: string): number {
  return encode(text, { disallowedSpecial: new Set() }).length;
}

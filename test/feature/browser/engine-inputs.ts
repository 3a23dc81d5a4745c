// The inputs of every engine: plain data that survives JSON, so that Node and a page start from the same bytes.

import type { DocumentFormat } from '../../../src/core/model/document.ts';

/** Bytes in base64. */
export type Bytes = string;

export type EngineInput = PageInput | DocumentInput | LlmsFullInput | EncodingInput | CharactersInput;

/** A page that goes through its extractor, the verdicts and the chunker. */
export interface PageInput {
  readonly kind: 'page';
  readonly name: string;
  readonly url: string;
  readonly mediaType: string | null;
  readonly body: Bytes;
}

/** A document that goes straight to its chunker. */
export interface DocumentInput {
  readonly kind: 'document';
  readonly name: string;
  readonly path: string;
  readonly format: DocumentFormat;
  readonly codeLanguage: string | null;
  readonly text: string;
}

export interface LlmsFullInput {
  readonly kind: 'llms-full';
  readonly name: string;
  readonly text: string;
  readonly url: string;
  readonly llmsTxt: { readonly text: string; readonly url: string } | null;
  readonly pages: readonly string[];
}

/** Bytes in a legacy encoding, which each engine decodes with its own tables. */
export interface EncodingInput {
  readonly kind: 'encoding';
  readonly name: string;
  readonly label: string;
  readonly body: Bytes;
}

/** Every character from `first` to about `last` as a word. Engines support different versions of Unicode. */
export interface CharactersInput {
  readonly kind: 'characters';
  readonly name: string;
  readonly first: number;
  readonly last: number;
}

export interface EngineInputs {
  readonly inputs: readonly EngineInput[];
  readonly queries: readonly string[];
  readonly grammars: { readonly runtime: Bytes; readonly files: Readonly<Record<string, Bytes>> };
}

/** The output for one input: texts by the names of the golden files they correspond to. */
export interface EngineOutput {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
}

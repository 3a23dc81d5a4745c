// The public API of `pinakes/ai-sdk`: tools with which a model of the AI SDK searches a library and reads its pages. A tool is an
// object, so nothing of the SDK is loaded; its package, ai, is an optional peer.

import type { z } from 'zod';
import type { ActionOutput } from '../actions/actions.ts';
import { readDocs } from '../actions/read-docs.ts';
import { searchDocs } from '../actions/search-docs.ts';
import type { Library } from '../client/library.ts';
import { resultText } from '../serve/mcp/result-text.ts';

/** The part of the SDK's tools that these have. */
export interface LibraryTool<Input, Output> {
  readonly description: string;
  readonly inputSchema: z.ZodType<Input>;
  /** What the model reads: Markdown with citations. The program that calls it gets the whole result. */
  readonly toModelOutput: (result: Output | { readonly output: Output }) => {
    readonly type: 'text';
    readonly value: string;
  };
  readonly execute: (input: Input, options?: { readonly abortSignal?: AbortSignal | undefined }) => Promise<Output>;
}

export interface ToolOptions {
  /** Only this source is searched and read. */
  readonly source?: string | undefined;
}

// How a model should not decide: what is scored, and which sources its user prefers.
const SearchInput = searchDocs.input.omit({ explain: true, prefer: true });
const ReadInput = readDocs.input;

/** A type rather than an interface, so that it fits the SDK's sets of tools. */
export type LibraryTools = {
  readonly search_docs: LibraryTool<z.output<typeof SearchInput>, ActionOutput<'search_docs'>>;
  readonly read_docs: LibraryTool<z.output<typeof ReadInput>, ActionOutput<'read_docs'>>;
};

/** Tools for `generateText`, `streamText` and agents. They read the library and change nothing. */
export function createTools(library: Pick<Library, 'search' | 'read'>, { source }: ToolOptions = {}): LibraryTools {
  const fixed = source === undefined ? {} : { source };
  return {
    search_docs: {
      description: searchDocs.bindings.mcp?.description ?? searchDocs.summary,
      inputSchema: SearchInput,
      toModelOutput: (result) => modelText('search_docs', result),
      execute: (input, options) => library.search({ ...input, ...fixed }, { signal: options?.abortSignal }),
    },
    read_docs: {
      description: readDocs.bindings.mcp?.description ?? readDocs.summary,
      inputSchema: ReadInput,
      toModelOutput: (result) => modelText('read_docs', result),
      execute: (input, options) => library.read({ ...input, ...fixed }, { signal: options?.abortSignal }),
    },
  };
}

/** Version 5 of the SDK passes the output itself, version 6 an object that has it. */
function modelText(action: string, result: object): { readonly type: 'text'; readonly value: string } {
  return { type: 'text', value: resultText(action, 'output' in result ? result.output : result) };
}

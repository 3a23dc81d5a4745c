// Loads the parser and its grammars. Loading is asynchronous and happens before; chunking then finds them ready.

import { Language, Parser } from 'web-tree-sitter';
import { pinakesError } from '../../model/errors.ts';
import { sha256Hex } from '../../model/hash.ts';
import { grammarPackage, grammars, type Grammar } from './grammars.table.ts';

/** Where the bytes come from: a folder in Node, a URL in the browser. */
export interface GrammarFiles {
  /** The WebAssembly file of web-tree-sitter itself. */
  runtime(): Promise<Uint8Array>;
  /** Null when the file is not installed. */
  grammar(file: string): Promise<Uint8Array | null>;
}

export interface ReadyGrammar {
  readonly grammar: Grammar;
  readonly parser: Parser;
}

export interface GrammarLoader {
  /** Makes a language ready. Nothing happens for one that no grammar exists for; a missing file is an error. */
  prepare(language: string): Promise<void>;
  /** Null for a language that no grammar exists for; an error for one that was not prepared. */
  ready(language: string): ReadyGrammar | null;
}

export function createGrammarLoader(files: GrammarFiles): GrammarLoader {
  let started: Promise<void> | null = null;
  const loading = new Map<string, Promise<void>>();
  const parsers = new Map<string, Parser>();

  const load = async (language: string, { file, sha256 }: Grammar): Promise<void> => {
    const bytes = await files.grammar(file);
    if (bytes === null || sha256Hex(bytes) !== sha256) throw missing(language);
    // Emscripten takes the bytes from `wasmBinary` and asks for no file.
    started ??= files.runtime().then((wasmBinary) => Parser.init({ wasmBinary }));
    await started;
    parsers.set(file, new Parser().setLanguage(await Language.load(bytes)));
  };
  return {
    async prepare(language) {
      const grammar = grammars[language];
      if (grammar === undefined) return;
      const running = loading.get(grammar.file) ?? load(language, grammar);
      loading.set(grammar.file, running);
      await running;
    },
    ready(language) {
      const grammar = grammars[language];
      if (grammar === undefined) return null;
      const parser = parsers.get(grammar.file);
      if (parser === undefined) throw missing(language);
      return { grammar, parser };
    },
  };
}

function missing(language: string): Error {
  return pinakesError('chunk.grammar-missing', { language, package: grammarPackage });
}

// Loads the tree-sitter runtime and its grammars asynchronously, so that chunking itself can be synchronous.

import { Language, Parser } from 'web-tree-sitter';
import { pinakesError } from '../../model/errors.ts';
import { sha256Hex } from '../../model/hash.ts';
import { grammarPackage, grammars, type Grammar } from './grammars.table.ts';

/** Where the WebAssembly files come from: a folder in Node, a URL in the browser. */
export interface GrammarFiles {
  /** The WebAssembly file of web-tree-sitter itself. */
  runtime(): Promise<Uint8Array>;
  /** Null if the file is not installed. */
  grammar(file: string): Promise<Uint8Array | null>;
}

/**
 * What chunking reads of a syntax tree. The types of web-tree-sitter itself need those of Emscripten, which a program that
 * uses this package does not have.
 */
export interface SyntaxNode {
  readonly type: string;
  readonly text: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly namedChildren: readonly SyntaxNode[];
  childForFieldName(field: string): SyntaxNode | null;
}

export interface ReadyGrammar {
  readonly grammar: Grammar;
  /** Null if the parser gave up. The caller deletes the tree. */
  parse(text: string): { readonly rootNode: SyntaxNode; delete(): void } | null;
}

export interface GrammarLoader {
  /** Loads the grammar of a language. A no-op for a language without a grammar; a missing file is an error. */
  prepare(language: string): Promise<void>;
  /** The languages that have a grammar whose file is not installed. */
  missing(): Promise<readonly string[]>;
  /** Null for a language without a grammar; an error for one that was not prepared. */
  ready(language: string): ReadyGrammar | null;
}

/** By file, which several languages may share. */
const checksums = new Map(Object.values(grammars).map(({ file, sha256 }) => [file, sha256]));

export function createGrammarLoader(files: GrammarFiles): GrammarLoader {
  let initialized: Promise<void> | null = null;
  const loading = new Map<string, Promise<void>>();
  const parsers = new Map<string, Parser>();
  /** Files that were found and have the right checksum. Together they are large, and each run asks for those that are missing. */
  const installed = new Set<string>();

  const load = async (language: string, { file, sha256 }: Grammar): Promise<void> => {
    const bytes = await files.grammar(file);
    if (!isGrammar(bytes, sha256)) {
      installed.delete(file);
      throw missingGrammar(language);
    }
    // With `wasmBinary`, Emscripten does not request a file.
    initialized ??= files.runtime().then((wasmBinary) => Parser.init({ wasmBinary }));
    await initialized;
    parsers.set(file, new Parser().setLanguage(await Language.load(bytes)));
  };
  return {
    async prepare(language) {
      const grammar = grammars[language];
      if (grammar === undefined) return;
      const running = loading.get(grammar.file) ?? load(language, grammar);
      loading.set(grammar.file, running);
      try {
        await running;
      } catch (error) {
        // It may be installed later.
        loading.delete(grammar.file);
        throw error;
      }
    },
    // One after the other: a process may have few descriptors left, and the files are large.
    async missing() {
      for (const [file, sha256] of checksums)
        if (!installed.has(file) && isGrammar(await files.grammar(file), sha256)) installed.add(file);
      return Object.entries(grammars).flatMap(([language, { file }]) => (installed.has(file) ? [] : [language]));
    },
    ready(language) {
      const grammar = grammars[language];
      if (grammar === undefined) return null;
      const parser = parsers.get(grammar.file);
      if (parser === undefined) throw missingGrammar(language);
      return { grammar, parse: (text) => parser.parse(text) };
    },
  };
}

function isGrammar(bytes: Uint8Array | null, sha256: string): bytes is Uint8Array {
  return bytes !== null && sha256Hex(bytes) === sha256;
}

function missingGrammar(language: string): Error {
  return pinakesError('chunk.grammar-missing', { language, package: grammarPackage });
}

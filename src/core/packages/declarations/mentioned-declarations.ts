// Declarations that a package does not export by name, but that describe what it exports: the base of an options type, the
// members of a union.

import type { ScopeRef } from './module-graph.ts';
import type { Declared } from './module-scope.ts';
import { unnamed, type PublicDeclaration } from './public-symbols.ts';
import type { ExportResolver, NameMeaning } from './resolve-exports.ts';

const MAX_MENTIONED = 20_000;

/** Only those with a doc comment, their own or of a member. They have no names. */
export function mentionedDeclarations(
  exported: Iterable<PublicDeclaration>,
  resolver: ExportResolver,
): readonly PublicDeclaration[] {
  const queue: Array<Pick<PublicDeclaration, 'ref' | 'declared'>> = [...exported];
  const known = new Set(queue.map(({ declared }) => declared));
  const seen = new Map<object, Set<string>>();
  const found: PublicDeclaration[] = [];
  const add = (meaning: NameMeaning): void => {
    if (meaning.kind !== 'declared' || known.has(meaning.declared) || known.size > MAX_MENTIONED) return;
    known.add(meaning.declared);
    queue.push(meaning);
    if (hasDoc(meaning.ref, meaning.declared)) found.push(unnamed(meaning));
  };
  for (const { ref, declared } of queue) {
    const words = seen.get(ref.scope) ?? new Set();
    seen.set(ref.scope, words);
    for (const word of mentionedWords(ref, declared)) {
      if (words.has(word) || !isVisible(ref, word)) continue;
      words.add(word);
      for (const meaning of resolver.resolveLocal(ref, word)) add(meaning);
    }
  }
  return found;
}

function mentionedWords({ module: { tokens } }: ScopeRef, declared: readonly Declared[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { from, to, scope } of declared) {
    if (scope !== null) continue; // what a namespace contains is public under its own names
    for (let index = from; index < to; index += 1) if (tokens.isWord(index)) words.add(tokens.value(index));
  }
  return words;
}

function isVisible(ref: ScopeRef, word: string): boolean {
  for (let at: ScopeRef | null = ref; at !== null; at = at.parent) {
    if (at.scope.declared.has(word) || at.scope.imports.has(word)) return true;
  }
  return false;
}

function hasDoc({ module: { tokens } }: ScopeRef, declared: readonly Declared[]): boolean {
  return declared.some(({ from, to, doc, scope }) => {
    if (scope !== null) return false;
    if (doc !== null) return true;
    for (let index = from; index < to; index += 1) if (tokens.docs.has(index)) return true;
    return false;
  });
}

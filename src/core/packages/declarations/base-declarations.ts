// The types that public types extend. Their members are members of the public type, so they are shown although nothing exports them, and
// although they are marked as internal.

import type { ScopeRef } from './module-graph.ts';
import type { Declared } from './module-scope.ts';
import type { PublicDeclaration } from './public-symbols.ts';
import type { ExportResolver } from './resolve-exports.ts';
import { anglesAfter } from './scan-statement.ts';

const MAX_BASES = 20_000;

type Declaration = Pick<PublicDeclaration, 'ref' | 'declared'>;

/** The base types of the package itself, with the bases of bases, by what they declare. */
export function baseDeclarations(
  exported: Iterable<Declaration>,
  resolver: ExportResolver,
): ReadonlyMap<readonly Declared[], Declaration> {
  const bases = new Map<readonly Declared[], Declaration>();
  const queue: Declaration[] = [...exported];
  for (const { ref, declared } of queue) {
    const names = declared.flatMap((one) => baseNames(ref, one));
    for (const meaning of names.flatMap((name) => resolver.resolveLocal(ref, name))) {
      if (meaning.kind !== 'declared' || bases.has(meaning.declared) || bases.size === MAX_BASES) continue;
      bases.set(meaning.declared, meaning);
      queue.push(meaning);
    }
  }
  return bases;
}

/** The names after `extends`; those with dots are exported by another module. */
function baseNames({ module: { tokens } }: ScopeRef, { kind, from, to, body }: Declared): readonly string[] {
  if (kind !== 'class' && kind !== 'interface') return [];
  const names: string[] = [];
  let angles = 0;
  let expects = false;
  for (let at = from; at < (body ?? to); at = (tokens.closes[at] ?? at) + 1) {
    if (expects && tokens.isWord(at) && !tokens.is(at + 1, '.')) names.push(tokens.value(at));
    expects = angles === 0 && (tokens.is(at, 'extends') || (names.length > 0 && tokens.is(at, ',')));
    angles = anglesAfter(tokens, at, angles);
  }
  return names;
}

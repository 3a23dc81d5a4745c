// Parses YAML within limits. Nesting and length are checked token by token, before anything is built, and aliases are
// counted, so hostile input takes linear time. Tags have no effect, and `__proto__` and `<<` are ordinary keys.

import { Composer, type CST, type Document, isCollection, Lexer, Parser, visit } from 'yaml';

const MAX_DEPTH = 100;
/** About 2 MB of an API description. */
const MAX_TOKENS = 500_000;
/** How often an anchor may be repeated, aliases inside of it multiplied. */
const MAX_ALIASES = 100;

/** `text`: every scalar is a string, as written. `typed`: numbers, booleans and null as in JSON. */
export type YamlScalars = 'text' | 'typed';

/** The value of the first document; undefined if it is not valid, or exceeds a limit. */
export function parseYaml(text: string, scalars: YamlScalars, maxTokens = MAX_TOKENS): unknown {
  const tokens = readTokens(text, 1, maxTokens);
  if (tokens === null) return undefined;
  const composer = new Composer({
    version: '1.2',
    schema: scalars === 'text' ? 'failsafe' : 'core',
    resolveKnownTags: false,
    merge: false,
    stringKeys: true,
    // The check compares each key with all others.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const [document] = composer.compose(tokens, true, text.length);
  return document === undefined || document.errors.length > 0 ? undefined : plainValue(document);
}

/** The documents of a file; null if it is too long or too deep. */
export function yamlDocuments(text: string): ReadonlyArray<CST.Document> | null {
  return readTokens(text, Infinity, MAX_TOKENS)?.filter((token) => token.type === 'document') ?? null;
}

/** Tokens up to the end of that many documents; null if they are too many or too deep. */
function readTokens(text: string, documents: number, maxTokens: number): readonly CST.Token[] | null {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let [count, ended] = [0, 0];
  for (const source of new Lexer().lex(text)) {
    for (const token of parser.next(source)) {
      tokens.push(token);
      if (token.type === 'document') ended += 1;
    }
    if (ended >= documents) return tokens;
    count += 1;
    if (count > maxTokens || parser.stack.length > MAX_DEPTH) return null;
  }
  tokens.push(...parser.end());
  return tokens;
}

function plainValue(document: Document.Parsed): unknown {
  let isCyclic = false;
  visit(document, {
    // `1.10` is a version, not a number that would be shown as 1.1.
    Scalar(_key, node) {
      if (typeof node.value === 'number' && String(node.value) !== node.source) node.value = node.source;
    },
    Alias(_key, { source }, ancestors) {
      isCyclic ||= ancestors.some((node) => isCollection(node) && node.anchor === source);
    },
  });
  if (isCyclic) return undefined;
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch {
    return undefined; // aliases that multiply
  }
}

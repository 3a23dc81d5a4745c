// The sections of one symbol of any language: its signature, its text, and its members as a list or as sections.

import type { SymbolMember, SymbolSection } from './symbol-page.ts';

export interface DescribedSymbol {
  /** The public names, the first one best; empty for a symbol that only others mention. */
  readonly names: readonly string[];
  /** The name to show if there is no public one. */
  readonly shown: string;
  readonly code: string;
  readonly body: string;
  readonly deprecated: boolean;
  /** Members with a text get an item or a section; the code shows the others. */
  readonly members: readonly DescribedMember[];
  /** Between the names of a symbol and its member. */
  readonly separator: '.' | '::';
}

export interface DescribedMember {
  /** Null for a signature without a name. */
  readonly name: string | null;
  readonly signature: string;
  /** Markdown; null if the member has no comment. */
  readonly text: string | null;
  readonly deprecated: boolean;
}

/** Members with more text than this get sections; fewer fit one passage. */
export interface ListLimits {
  /** Characters of all members of a symbol together. */
  readonly totalChars: number;
  /** Characters of one member's text. */
  readonly docChars: number;
  /** Whether texts with paragraphs and examples may be listed. */
  readonly hasParagraphs: boolean;
}

/** A chunker cuts a page with more definitions as plain text. */
const MAX_SECTIONS = 900;
const LIST_LIMITS: readonly ListLimits[] = [
  { totalChars: 1800, docChars: 320, hasParagraphs: false },
  { totalChars: 6000, docChars: 600, hasParagraphs: true },
  { totalChars: 30_000, docChars: 3000, hasParagraphs: true },
];
const MAX_OVERLOADS = 12;
const MAX_LISTED_SIGNATURE_CHARS = 160;

/** The sections of a page; on a page with many, members with short texts are listed. */
export function fittingSections<Item>(
  items: readonly Item[],
  sectionsOf: (item: Item, limits: ListLimits) => readonly SymbolSection[],
): readonly SymbolSection[] {
  let sections: readonly SymbolSection[] = [];
  const tries = items.length > MAX_SECTIONS ? LIST_LIMITS.slice(-1) : LIST_LIMITS;
  for (const limits of tries) {
    sections = items.flatMap((item) => sectionsOf(item, limits));
    if (sections.length <= MAX_SECTIONS) break;
  }
  return sections;
}

export function symbolSections(symbol: DescribedSymbol, limits: ListLimits): readonly SymbolSection[] {
  const { names, shown, code, body, deprecated, members } = symbol;
  const documented = members.filter(({ text }) => text !== null);
  const listed = listedMembers(documented, symbol, limits);
  const heading = `${shown} (not exported by name)`;
  const main: SymbolSection = { names, heading, level: 2, code, body, deprecated, members: listed ?? [] };
  return listed === null ? [main, ...memberSections(documented, symbol)] : [main];
}

/** Members as a list if they are few and short; null if they need sections. */
function listedMembers(
  members: readonly DescribedMember[],
  owner: DescribedSymbol,
  limits: ListLimits,
): readonly SymbolMember[] | null {
  const listed: SymbolMember[] = [];
  const names = new Set<string | null>();
  let chars = 0;
  for (const { name, signature, text, deprecated } of members) {
    const shown = text ?? '';
    const isShort = shown.length <= limits.docChars && (limits.hasParagraphs || !/\n\n|```/.test(shown));
    const isOneLine = signature.length <= MAX_LISTED_SIGNATURE_CHARS && !/[\n`]/.test(signature);
    chars += shown.length + signature.length;
    if (!isShort || !isOneLine || names.has(name) || chars > limits.totalChars) return null;
    names.add(name);
    const symbol = name !== null && /^[\w$]+$/.test(name) ? memberSymbol(owner, name) : null;
    listed.push({ name: symbol, signature, text: shown, deprecated });
  }
  return listed;
}

function memberSymbol({ names, separator }: DescribedSymbol, name: string | null): string | null {
  const [owner] = names;
  return owner === undefined || name === null || /[`\s,]/.test(name) ? null : `${owner}${separator}${name}`;
}

/** One section for each name; overloads of a method share it. */
function memberSections(members: readonly DescribedMember[], owner: DescribedSymbol): readonly SymbolSection[] {
  const byName = Map.groupBy(members, ({ name, signature }) => name ?? signature);
  return [...byName].map(([key, overloads]) => {
    const name = memberSymbol(owner, overloads[0]?.name ?? null);
    return {
      names: name === null ? [] : [name],
      heading: `${owner.names[0] ?? owner.shown}: ${key.slice(0, 100)}`,
      level: 3,
      code: foldOverloads(overloads.map(({ signature }) => signature)),
      body: distinct(overloads.map(({ text }) => text ?? '')),
      deprecated: overloads.some(({ deprecated }) => deprecated),
      members: [],
    };
  });
}

/** The first signatures, and how many more there are. */
export function foldOverloads(signatures: readonly string[]): string {
  const more = signatures.length - MAX_OVERLOADS;
  const shown = signatures.slice(0, MAX_OVERLOADS);
  return (more > 0 ? [...shown, `// and ${more} more`] : shown).join('\n');
}

/** Overloads often repeat a comment; each is shown once. */
export function distinct(texts: readonly string[]): string {
  return [...new Set(texts)].filter((text) => text !== '').join('\n\n');
}

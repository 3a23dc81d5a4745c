// Writes a page of symbols as Markdown, in the form that the extractor for declarations reads: a heading of inline code names
// the symbol of its section, a line below it the aliases, and the items below `Members:` name further symbols.

/** A page that was made from a file of the package, such as a module's declarations. */
export interface PackagePage {
  /** Path of the file that declares the symbols, as in `PackageFolder.files`. */
  readonly path: string;
  readonly title: string;
  /** Media type of `text`; it selects the extractor. */
  readonly mediaType: string;
  readonly text: string;
  /** Public symbols, such as `Command` and `Command.option`, in page order. */
  readonly symbols: readonly PackageSymbol[];
}

export interface PackageSymbol {
  readonly name: string;
  readonly deprecated: boolean;
}

/** The media type of pages with declarations: Markdown in which each heading with inline code defines that symbol. */
export const DECLARATIONS_MEDIA_TYPE = 'text/vnd.pinakes.declarations';

export interface SymbolSection {
  /** The public names, the first one best; empty for a declaration that only others mention. */
  readonly names: readonly string[];
  /** The heading of a section without names. */
  readonly heading: string;
  readonly level: 2 | 3;
  /** The signature, in the language of the page. */
  readonly code: string;
  readonly body: string;
  readonly deprecated: boolean;
  readonly members: readonly SymbolMember[];
}

/** A member that is described in one line. */
export interface SymbolMember {
  /** Qualified; null in a section without names. */
  readonly name: string | null;
  readonly signature: string;
  readonly text: string;
  readonly deprecated: boolean;
}

export interface SymbolPage {
  readonly path: string;
  readonly title: string;
  /** Language of the code, as in fences. */
  readonly language: string;
  readonly intro: string;
  readonly sections: readonly SymbolSection[];
}

/** This label begins the line with the further public names of a symbol. */
export const ALIASES_LABEL = 'Also exported as ';
/** Below this label, each item that begins with inline code is a member. */
export const MEMBERS_LABEL = 'Members:';
/** Below this label, each item names another package, and what a module has from it. */
export const REEXPORTS_LABEL = 'Exports of other packages:';
/** A longer text is not an identifier. */
export const MAX_NAME_CHARS = 200;
const MAX_CODE_CHARS = 8000;

export function renderSymbolPage({ path, title, language, intro, sections }: SymbolPage): PackagePage {
  const parts = [`# ${oneLine(title)}`, intro, ...sections.flatMap((section) => sectionParts(section, language))];
  const text = `${parts.filter((part) => part !== '').join('\n\n')}\n`;
  const symbols = sections.flatMap(({ names, deprecated, members }) => [
    ...names.filter(isName).map((name) => ({ name, deprecated })),
    ...members.flatMap((member) =>
      member.name === null ? [] : [{ name: member.name, deprecated: member.deprecated }],
    ),
  ]);
  return { path, title: oneLine(title), mediaType: DECLARATIONS_MEDIA_TYPE, text, symbols };
}

function sectionParts(section: SymbolSection, language: string): readonly string[] {
  const { names, heading, level, code, body, members } = section;
  const named = names.filter(isName);
  const [best, ...aliases] = named.map((name) => `\`${name}\``);
  const also = aliases.length === 0 ? '' : `${ALIASES_LABEL}${aliases.join(', ')}.`;
  return [`${'#'.repeat(level)} ${best ?? oneLine(heading)}`, fenced(code, language), body, also, memberList(members)];
}

function memberList(members: readonly SymbolMember[]): string {
  if (members.length === 0) return '';
  const items = members.map(({ signature, text }) => {
    const shown = `- \`${oneLine(signature)}\``;
    return text === '' ? shown : `${shown}: ${text.replaceAll('\n', '\n  ')}`;
  });
  return `${MEMBERS_LABEL}\n\n${items.join('\n')}`;
}

function fenced(code: string, language: string): string {
  if (code === '') return '';
  const shown = code.length > MAX_CODE_CHARS ? `${code.slice(0, MAX_CODE_CHARS)} …` : code;
  const longest = Math.max(2, ...[...shown.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${shown}\n${fence}`;
}

function isName(name: string): boolean {
  return name.length <= MAX_NAME_CHARS && !/[`\s,]/.test(name);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('`', "'").trim();
}

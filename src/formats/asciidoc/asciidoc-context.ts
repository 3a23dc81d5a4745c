// The context that the block writers of AsciiDoc share. They call each other through it, because lists, tables and delimited blocks
// contain blocks again.

export interface AsciidocContext {
  /** Attributes as defined so far, by name. */
  readonly attributes: Map<string, string>;
  /** Titles of sections and blocks, by id, for references. */
  readonly titles: ReadonlyMap<string, string>;
  readonly document: {
    title: string | null;
    /** Added to the level of every section, as `:leveloffset:` says. */
    levelOffset: number;
    /** Files with two-line titles use the older quotes: 'emphasis' and +monospace+. */
    usesOldQuotes: boolean;
  };
  readonly depth: number;
  readonly blocks: (lines: readonly string[]) => string;
  /** The one block that begins at `at`, with the attributes above it. */
  readonly block: (lines: readonly string[], at: number, inList: boolean) => Written;
  readonly inline: (text: string) => string;
}

export interface Written {
  readonly html: string;
  readonly end: number;
}

/** The lines above a block: `[source,java]`, `[[id]]`, `.Title`. */
export interface BlockAttributes {
  readonly positional: readonly string[];
  readonly named: ReadonlyMap<string, string>;
  readonly id: string | null;
  readonly title: string | null;
}

const ATTRIBUTE_LINE = /^\[(?!\[)([^\]]*(?:\][^\]]+)*)\]$/;

/** Reads the attribute lines from `at`. */
export function readBlockAttributes(
  lines: readonly string[],
  at: number,
): { readonly attributes: BlockAttributes; readonly end: number } {
  const positional: string[] = [];
  const named = new Map<string, string>();
  let id: string | null = null;
  let title: string | null = null;
  let end = at;
  for (; end < lines.length; end += 1) {
    const line = lines[end] as string;
    const [, anchor] = /^\[\[([^\],]+)(?:,[^\]]*)?\]\]$/.exec(line) ?? [];
    const [, list] = ATTRIBUTE_LINE.exec(line) ?? [];
    const [, caption] = /^\.([^\s.].*)$/.exec(line) ?? [];
    if (anchor !== undefined) id = anchor;
    else if (list !== undefined) id = readAttributeList(list, positional, named) ?? id;
    else if (caption !== undefined) title = caption;
    else if (!(line.startsWith('//') && !line.startsWith('////')) || end === at) break;
  }
  return { attributes: { positional, named, id, title }, end };
}

/** Returns the id, if the list has one. */
export function readAttributeList(list: string, positional: string[], named: Map<string, string>): string | null {
  let id: string | null = null;
  for (const [part] of list.matchAll(/(?:"[^"]{0,2000}"|[^,"]){1,4000}/g)) {
    const text = part.trim();
    const [, name, quoted, plain = ''] = /^([\w-]+)\s*=\s*(?:"([^"]*)"|(.*))$/.exec(text) ?? [];
    if (name !== undefined) named.set(name, quoted ?? plain);
    else {
      const [, short] = /#([\w:.-]+)/.exec(text) ?? [];
      id = short ?? id;
      for (const [, option = ''] of text.matchAll(/%([\w-]+)/g))
        named.set('options', `${named.get('options') ?? ''},${option}`);
      positional.push(text.replace(/[#.%][\w:.-]+/g, '').replace(/^"|"$/g, ''));
    }
  }
  return named.get('id') ?? id;
}

// Doc comments in the syntax of TSDoc and JSDoc, as Markdown.

export interface DocComment {
  /** Everything that is not a tag below. */
  readonly body: string;
  readonly params: ReadonlyArray<{ readonly name: string; readonly text: string }>;
  readonly returns: string | null;
  readonly defaultValue: string | null;
  /** Why and what instead; empty if the comment does not say. */
  readonly deprecated: string | null;
  readonly isInternal: boolean;
  readonly examples: readonly string[];
  /** Further tags that readers need, in order. */
  readonly others: ReadonlyArray<{ readonly label: string; readonly text: string }>;
}

/** Tags whose text belongs to the body. */
const BODY_TAGS = new Set([
  'remarks',
  'description',
  'summary',
  'privateRemarks',
  'desc',
  'classdesc',
  'packageDocumentation',
]);
const LABELS: ReadonlyMap<string, string> = new Map([
  ['throws', 'Throws'],
  ['exception', 'Throws'],
  ['see', 'See'],
  ['since', 'Since'],
  ['experimental', 'Experimental'],
  ['beta', 'Beta'],
  ['alpha', 'Alpha'],
  ['typeParam', 'Type parameter'],
  ['template', 'Type parameter'],
]);
const PARAM_TAGS = new Set(['param', 'arg', 'argument', 'prop', 'property']);

interface Block {
  readonly tag: string | null;
  readonly text: string;
}

/** `raw` is the comment with its delimiters. */
export function parseDocComment(raw: string): DocComment {
  const blocks = splitBlocks(commentLines(raw));
  const textsOf = (...tags: readonly string[]): string[] =>
    blocks.filter(({ tag }) => tag !== null && tags.includes(tag)).map(({ text }) => text);
  const body = blocks.filter(({ tag }) => tag === null || (BODY_TAGS.has(tag) && tag !== 'privateRemarks'));
  return {
    body: body
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join('\n\n'),
    params: blocks.filter(({ tag }) => tag !== null && PARAM_TAGS.has(tag)).map(({ text }) => parseParam(text)),
    returns: textsOf('returns', 'return')[0] ?? null,
    defaultValue: textsOf('default', 'defaultValue', 'defaultvalue')[0] ?? null,
    deprecated: textsOf('deprecated')[0] ?? null,
    isInternal: blocks.some(({ tag }) => tag === 'internal'),
    examples: textsOf('example').map(asExample),
    others: blocks.flatMap(({ tag, text }) => {
      const label = LABELS.get(tag ?? '');
      return label === undefined ? [] : [{ label, text }];
    }),
  };
}

/** The lines of a comment without its delimiters, and without the stars or the indentation at their start. */
function commentLines(raw: string): readonly string[] {
  const [first = '', ...rest] = raw
    .replace(/^\/\*\*/, '')
    .replace(/\*\/$/, '')
    .split(/\r?\n/);
  const written = rest.filter((line) => line.trim() !== '');
  const isStarred = written.every((line) => /^[ \t]*\/?\*/.test(line));
  const margin = isStarred ? 0 : Math.min(...written.map((line) => line.length - line.trimStart().length));
  const lines = rest.map((line) =>
    (isStarred ? line.replace(/^[ \t]*(?:\/?\*)? ?/, '') : line.slice(margin)).trimEnd(),
  );
  return [first.trim(), ...lines];
}

function splitBlocks(lines: readonly string[]): readonly Block[] {
  const blocks: Array<{ tag: string | null; lines: string[] }> = [{ tag: null, lines: [] }];
  let fence: string | null = null;
  for (const line of lines) {
    const marker = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    const tag = fence === null ? /^\s*@([A-Za-z]+)(?=[\s:{]|$)/.exec(line)?.[1] : undefined;
    if (tag !== undefined)
      blocks.push({
        tag,
        lines: [
          line
            .trimStart()
            .slice(tag.length + 1)
            .trimStart(),
        ],
      });
    else blocks.at(-1)?.lines.push(line);
    if (marker !== null) fence = nextFence(fence, marker);
  }
  return blocks.map(({ tag, lines: own }) => ({ tag, text: toMarkdown(own) }));
}

function nextFence(open: string | null, marker: string): string | null {
  if (open === null) return marker;
  return marker.startsWith(open) ? null : open;
}

/** Resolves inline tags, and keeps text from changing the structure of the page around it. */
function toMarkdown(lines: readonly string[]): string {
  const result: string[] = [];
  let fence: string | null = null;
  for (const line of trimBlank(lines)) {
    const marker = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    if (marker !== null) fence = nextFence(fence, marker);
    result.push(fence === null && marker === null ? inlineMarkdown(line) : line);
  }
  if (fence !== null) result.push(fence);
  return result.join('\n');
}

function inlineMarkdown(line: string): string {
  const heading = /^\s{0,3}#{1,6}\s+(\S.*)$/.exec(line)?.[1];
  const text = heading === undefined ? line : `**${heading.replaceAll('*', '')}**`;
  if (/^\s*(?:=+|-+)\s*$/.test(line)) return '';
  return resolveLinks(text).replaceAll('<!--', '&lt;!--');
}

const LINK =
  /\{@(link|linkcode|linkplain|inheritDoc|inheritdoc|see)\s+([^{}|\s]{1,300})(?:\s*\|\s*|\s+)?([^{}]{0,300})\}/g;

/** `{@link Target | text}` and its variants. */
function resolveLinks(text: string): string {
  if (!text.includes('{@')) return text;
  return text.replaceAll(LINK, (_, tag: string, target: string, label: string) => {
    const shown = label.trim();
    if (/^https?:/.test(target)) return shown === '' ? `<${target}>` : `[${shown}](${target})`;
    const name = `\`${target.replaceAll('`', '')}\``;
    if (tag.toLowerCase() === 'inheritdoc') return `See ${name}.`;
    return shown === '' || shown === target ? name : `${shown} (${name})`;
  });
}

function trimBlank(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return first === -1 ? [] : lines.slice(first, last + 1);
}

/** `{type} name - text`, `[name=default] text`. */
function parseParam(text: string): { readonly name: string; readonly text: string } {
  const untyped = text.replace(/^\{[^{}]*\}\s*/, '');
  const [, name = '', rest = ''] = /^(\[[^\]]*\]|[^\s-]\S*)\s*(?:-\s*)?([\s\S]*)$/.exec(untyped) ?? [];
  return { name: name.replaceAll('`', ''), text: rest.trim() };
}

/** An example is code unless it has fences. */
function asExample(text: string): string {
  if (/^\s*(?:`{3,}|~{3,})/m.test(text)) return text;
  const caption = /^<caption>(.{0,200})<\/caption>\s*/.exec(text);
  const code = caption === null ? text : text.slice(caption[0].length);
  const title = caption?.[1] === undefined ? '' : `${caption[1]}\n\n`;
  return code.trim() === '' ? title.trim() : `${title}\`\`\`ts\n${code}\n\`\`\``;
}

/** The whole comment as Markdown. */
export function docMarkdown(doc: DocComment): string {
  const { body, params, returns, defaultValue, deprecated, examples, others } = doc;
  const parts = [
    deprecated === null ? '' : `**Deprecated.** ${deprecated}`.trim(),
    body,
    params.length === 0
      ? ''
      : `Parameters:\n\n${params.map(({ name, text }) => `- \`${name}\`: ${indented(text)}`).join('\n')}`,
    returns === null || returns === '' || /^returns\b/i.test(returns) ? (returns ?? '') : `Returns: ${returns}`,
    defaultValue === null || defaultValue === ''
      ? ''
      : `Default: ${/[`\n]/.test(defaultValue) ? defaultValue : `\`${defaultValue}\``}`,
    ...others.map(({ label, text }) => (text === '' ? `${label}.` : `${label}: ${text}`)),
    ...examples.filter((example) => example !== '').map((example) => `Example:\n\n${example}`),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The lines of an item after its first. */
function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}

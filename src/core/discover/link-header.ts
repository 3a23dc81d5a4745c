// Reads the targets of a Link header (RFC 8288) with the parameters that discovery asks for.

export interface HeaderLink {
  readonly target: string;
  /** In lower case. */
  readonly rels: readonly string[];
  readonly type: string;
}

const MAX_HEADER_CHARS = 8192;

export function headerLinks(header: string): readonly HeaderLink[] {
  return header
    .slice(0, MAX_HEADER_CHARS)
    .split(/,(?=\s*<)/)
    .flatMap((link) => {
      const [target = '', ...parameters] = link.split(';').map((part) => part.trim());
      if (!target.startsWith('<') || !target.endsWith('>')) return [];
      const valueOf = (name: string): string =>
        parameters
          .find((one) => one.toLowerCase().startsWith(`${name}=`))
          ?.slice(name.length + 1)
          .replaceAll('"', '') ?? '';
      return [{ target: target.slice(1, -1), rels: valueOf('rel').toLowerCase().split(/\s+/), type: valueOf('type') }];
    });
}

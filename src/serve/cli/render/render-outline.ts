// Pages with their headings, and symbols, for a person at a terminal.

export interface OutlineAnswer {
  readonly cut: boolean;
  readonly pages: ReadonlyArray<{
    readonly path: string;
    readonly title: string;
    readonly sections: ReadonlyArray<{ readonly headings: readonly string[]; readonly chunk: string }>;
  }>;
}

export interface SymbolsAnswer {
  readonly cut: boolean;
  readonly symbols: ReadonlyArray<{ readonly symbol: string; readonly path: string; readonly line: number }>;
}

const CUT = 'There is more. Narrow it with --path.\n';

export function renderOutline({ pages, cut }: OutlineAnswer): string {
  if (pages.length === 0) return 'There is no page.\n';
  const lines = pages.map(({ path, title, sections }) => {
    const headed = sections.filter(({ headings }) => headings.length > 0);
    const shown = headed.map(({ headings, chunk }) => {
      return `${'  '.repeat(headings.length)}${headings.at(-1) ?? ''}  ${chunk}\n`;
    });
    return `${path}  ${title}\n${shown.join('')}`;
  });
  return lines.join('') + (cut ? CUT : '');
}

export function renderSymbols({ symbols, cut }: SymbolsAnswer): string {
  if (symbols.length === 0) return 'There is no symbol.\n';
  return symbols.map(({ symbol, path, line }) => `${symbol}  ${path}:${line}\n`).join('') + (cut ? CUT : '');
}

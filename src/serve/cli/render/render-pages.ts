// Found passages for a person at a terminal: where each stands, then its beginning.

interface Passage {
  readonly source: string;
  readonly version: string;
  readonly url: string;
  readonly headings: readonly string[];
  readonly text: string;
  readonly why?: Readonly<Record<string, number>>;
}

export interface PassagesAnswer {
  readonly searched: readonly string[];
  readonly passages: readonly Passage[];
  readonly next: number | null;
  readonly corrections: ReadonlyArray<{ readonly word: string; readonly readAs: readonly string[] }>;
  readonly near: readonly string[];
}

const SHOWN_LINES = 6;

export function renderPassages({ searched, passages, next, corrections, near }: PassagesAnswer): string {
  const read = corrections.map(({ word, readAs }) => `No page has “${word}”; also searched: ${readAs.join(', ')}.\n`);
  if (passages.length === 0) {
    if (searched.length === 0) return 'The library is empty. Begin with: pinakes add https://docs.example.dev --wait\n';
    const titles = near.length === 0 ? '' : `Titles that come near: ${near.join('; ')}.\n`;
    return `${read.join('')}Nothing found in ${searched.join(', ')}. Try fewer or other words.\n${titles}`;
  }
  const more = next === null ? '' : `More: --offset ${next}\n`;
  return `${read.join('')}${passages.map(renderOne).join('')}${more}`;
}

function renderOne({ source, version, url, headings, text, why }: Passage, at: number): string {
  const from = version === '' ? source : `${source} ${version}`;
  const reasons = Object.entries(why ?? {}).map(([name, part]) => `${name} ${part}`);
  const because = reasons.length === 0 ? '' : `   because: ${reasons.join(', ')}\n`;
  return `${at + 1}. ${headings.join(' › ')}\n   ${url}  (${from})\n${because}${excerpt(text)}\n`;
}

function excerpt(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const shown = lines.slice(0, SHOWN_LINES).map((line) => `   ${line.slice(0, 160)}\n`);
  return shown.join('') + (lines.length > SHOWN_LINES ? '   …\n' : '');
}

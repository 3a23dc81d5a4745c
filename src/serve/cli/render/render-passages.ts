// Found passages for a person at a terminal: where each stands, then its beginning.

interface Passage {
  readonly source: string;
  readonly url: string;
  readonly headings: readonly string[];
  readonly text: string;
}

export interface PassagesAnswer {
  readonly searched: readonly string[];
  readonly passages: readonly Passage[];
}

const SHOWN_LINES = 6;

export function renderPassages({ searched, passages }: PassagesAnswer): string {
  if (passages.length === 0) {
    return searched.length === 0
      ? 'The library is empty. Begin with: pinakes add https://docs.example.dev --wait\n'
      : `Nothing found in ${searched.join(', ')}. Try fewer or other words.\n`;
  }
  return passages
    .map(
      (passage, i) =>
        `${i + 1}. ${passage.headings.join(' › ')}\n   ${passage.url}  (${passage.source})\n${excerpt(passage.text)}\n`,
    )
    .join('');
}

function excerpt(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const shown = lines.slice(0, SHOWN_LINES).map((line) => `   ${line.slice(0, 160)}\n`);
  return shown.join('') + (lines.length > SHOWN_LINES ? '   …\n' : '');
}

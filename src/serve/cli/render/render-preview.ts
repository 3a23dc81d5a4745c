// One page as it would be kept: the text itself, then what was found around it.

export interface PreviewAnswer {
  readonly url: string;
  readonly title: string;
  readonly verdict: string;
  readonly kind: string;
  readonly readBy: string;
  readonly chunks: number;
  readonly text: string;
  readonly links: ReadonlyArray<{ readonly url: string; readonly text: string; readonly inContent: boolean }>;
}

const SHOWN_LINKS = 20;

export function renderPreview(page: PreviewAnswer): string {
  const inContent = page.links.filter((link) => link.inContent);
  const shown = inContent
    .slice(0, SHOWN_LINKS)
    .map(({ url, text }) => `  ${url}${text === '' ? '' : `  ${text.slice(0, 60)}`}\n`);
  const more = inContent.length > SHOWN_LINKS ? `  … and ${inContent.length - SHOWN_LINKS} more\n` : '';
  const around = page.links.length - inContent.length;
  return `${page.text}
--- ${page.url}
Title    ${page.title}
Verdict  ${page.verdict}
Kind     ${page.kind}, read by ${page.readBy}, ${page.chunks} chunks
Links    ${inContent.length} in the text, ${around} around it
${shown.join('')}${more}`;
}

// An answer as text: what an agent reads, and what a token budget is counted on.

export interface AnswerPassage {
  /** From the page title down. */
  readonly headings: readonly string[];
  readonly anchor: string | null;
  readonly lines: { readonly first: number; readonly last: number };
  /** Id of the chunk that the passage was taken from. */
  readonly chunk: string;
  readonly text: string;
}

export interface AnswerPage {
  readonly source: string;
  readonly version: string;
  readonly url: string;
  readonly title: string;
  /** When the page was last found current, ISO 8601. */
  readonly checkedAt: string;
  readonly passages: readonly AnswerPassage[];
}

export function renderAnswer(pages: readonly AnswerPage[]): string {
  return pages
    .map((page) =>
      [pageHead(page), ...page.passages.map((passage) => `${passageHead(passage)}\n${passage.text}`)].join('\n'),
    )
    .join('\n\n');
}

type Head = Pick<AnswerPage, 'source' | 'version' | 'url' | 'title' | 'checkedAt'>;

/** `## Title` and where it is from; each fact once for all passages of the page. */
export function pageHead({ source, version, url, title, checkedAt }: Head): string {
  const from = version === '' ? source : `${source} ${version}`;
  return `## ${title}\n<${url}> ${from}, ${checkedAt.slice(0, 10)}`;
}

/** Where on the page: headings below the title, the anchor, the lines. */
export function passageHead({ headings, anchor, lines }: Omit<AnswerPassage, 'text'>): string {
  const path = headings.slice(1).join(' › ');
  const mark = anchor === null ? '' : ` #${anchor}`;
  return `### ${path === '' ? '' : `${path} `}(lines ${lines.first}–${lines.last}${mark})`;
}

export function chunkUrl(url: string, anchor: string | null): string {
  return anchor === null ? url : `${url}#${anchor}`;
}

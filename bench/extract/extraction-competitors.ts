// The extractors that ours is compared with, each with the settings its authors recommend for documentation pages.

import { Readability } from '@mozilla/readability';
import { Defuddle } from 'defuddle/node';
import { parseHTML } from 'linkedom';
import { htmlToMarkdown } from 'mdream';
import TurndownService from 'turndown';

export interface Extractor {
  readonly name: string;
  /** Markdown of the page's content. */
  extract(page: { readonly url: string; readonly html: string }): Promise<string>;
}

const turndown = new TurndownService({ codeBlockStyle: 'fenced', headingStyle: 'atx', bulletListMarker: '-' });

export const competitors: readonly Extractor[] = [
  {
    name: 'defuddle',
    async extract({ url, html }) {
      const { document } = parseHTML(html);
      const result = await Defuddle(document, url, { markdown: true, separateMarkdown: false });
      return withTitle(result.title, result.content);
    },
  },
  {
    name: 'readability + turndown',
    async extract({ html }) {
      const { document } = parseHTML(html);
      const article = new Readability(document, { keepClasses: true }).parse();
      const content = parseHTML(`<html><body>${article?.content ?? ''}</body></html>`).document.body;
      return withTitle(article?.title ?? '', turndown.turndown(content));
    },
  },
  {
    name: 'mdream',
    async extract({ url, html }) {
      const markdown = htmlToMarkdown(html, { origin: new URL(url).origin, minimal: true });
      return markdown.replace(/^---\n[\s\S]*?\n---\n/, '');
    },
  },
];

/** These two return the title separately from the content; it is put back where the page has it. */
function withTitle(title: string, markdown: string): string {
  return title === '' || markdown.includes(`# ${title}`) ? markdown : `# ${title}\n\n${markdown}`;
}

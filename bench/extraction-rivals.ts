// The extractors that ours is measured beside, each with the settings its makers recommend for documentation pages.

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

export const rivals: readonly Extractor[] = [
  {
    name: 'defuddle',
    async extract({ url, html }) {
      const { document } = parseHTML(html);
      const result = await Defuddle(document, url, { markdown: true, separateMarkdown: false });
      return result.content;
    },
  },
  {
    name: 'readability + turndown',
    async extract({ html }) {
      const { document } = parseHTML(html);
      const article = new Readability(document, { keepClasses: true }).parse();
      return turndown.turndown(parseHTML(`<html><body>${article?.content ?? ''}</body></html>`).document.body);
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

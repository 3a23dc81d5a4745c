// llms.txt lists the pages of the site, llms-full.txt holds them all. Both lead to the Markdown twins.

export interface WrittenPage {
  readonly title: string;
  readonly description: string;
  readonly slug: string;
  /** With the title. */
  readonly markdown: string;
}

export interface WrittenSection {
  readonly label: string;
  readonly folded: boolean;
  readonly pages: readonly WrittenPage[];
}

export function llmsTxt(front: WrittenPage, sections: readonly WrittenSection[]): string {
  const parts = sections
    .toSorted((a, b) => Number(a.folded) - Number(b.folded))
    .map(({ label, folded, pages }) => {
      // What is folded in the sidebar may be left out by a reader with little room.
      const heading = folded ? `## Optional: ${label.toLowerCase()}` : `## ${label}`;
      return [heading, '', ...pages.map(lineOf)].join('\n');
    });
  return [`# ${front.title}`, `> ${front.description}.`, lineOf(front), ...parts].join('\n\n') + '\n';
}

function lineOf({ title, description, slug }: WrittenPage): string {
  return `- [${title}](/${slug}.md)${description === '' ? '' : `: ${description}`}`;
}

export function llmsFullTxt(pages: readonly WrittenPage[]): string {
  return pages.map(({ slug, markdown }) => `---\nurl: /${slug}.md\n---\n\n${markdown}`).join('\n');
}

// llms.txt lists the pages of the site, llms-full.txt contains them all. Both link to the Markdown variants.

export interface WrittenPage {
  readonly title: string;
  readonly description: string;
  readonly slug: string;
  /** With the title. */
  readonly markdown: string;
}

export interface WrittenSection {
  readonly label: string;
  readonly collapsed: boolean;
  readonly pages: readonly WrittenPage[];
}

export function llmsTxt(front: WrittenPage, sections: readonly WrittenSection[]): string {
  const parts = sections
    .toSorted((a, b) => Number(a.collapsed) - Number(b.collapsed))
    .map(({ label, collapsed, pages }) => {
      // An agent with a small context may skip what is collapsed in the sidebar.
      const heading = collapsed ? `## Optional: ${label.toLowerCase()}` : `## ${label}`;
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

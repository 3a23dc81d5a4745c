// Checks that every relative link in a Markdown file leads to a file, and every #fragment to a heading.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { projectFiles, report } from './rules/project-files.ts';

const files = projectFiles('*.md').filter((file) => !file.startsWith('test/data/'));

const broken: string[] = [];
for (const file of files) {
  const text = withoutCode(readFileSync(file, 'utf8'));
  for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/i.test(target)) continue;
    const [path = '', fragment] = target.split('#');
    const to = path === '' ? file : normalize(join(dirname(file), decodeURI(path)));
    if (!existsSync(to)) broken.push(`${file}: ${target} does not exist`);
    else if (fragment && to.endsWith('.md') && !headings(to).has(fragment))
      broken.push(`${file}: ${target} has no such heading`);
  }
}
report(broken);

function withoutCode(markdown: string): string {
  return markdown.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '');
}

function headings(file: string): Set<string> {
  const found = new Set<string>();
  for (const [, title = ''] of withoutFences(readFileSync(file, 'utf8')).matchAll(/^#{1,6}\s+(.+?)\s*$/gm)) {
    found.add(slug(title));
  }
  return found;
}

function withoutFences(markdown: string): string {
  return markdown.replace(/^(```|~~~)[\s\S]*?^\1/gm, '');
}

function slug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

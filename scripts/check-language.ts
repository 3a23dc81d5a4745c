// Refuses the wording and the identifiers of scripts/rules/dialect.table.ts, naming what to write instead.

import { readFileSync } from 'node:fs';
import { deniedIdentifiers, deniedPhrases } from './rules/dialect.table.ts';
import { projectFiles, report } from './rules/project-files.ts';

/** Old decisions and the changelog keep their text; test data and the tables of old names must name old words. */
const NOT_PROSE =
  /^test\/|^docs\/decisions\/\d|^CHANGELOG\.md$|^docs\/site\/|^scripts\/rules\/|renamed-[a-z-]+\.table\.ts$/;
const NOT_CODE =
  /^test\/(?:golden|cases|corpora|quality\/baseline)\/|^scripts\/rules\/|^docs\/|\/renamed-[a-z-]+(?:\.table)?\.ts$/;

const denied = new Map(deniedIdentifiers);

const violations = [
  ...projectFiles('*.md', 'src/*.ts', 'web/*.ts', 'web/*.tsx', 'web/*.html', 'packaging', 'scripts/*.ts').flatMap(
    (file) => (NOT_PROSE.test(file) || /\.test\.tsx?$/.test(file) ? [] : deniedWording(file)),
  ),
  ...projectFiles('*.ts', '*.tsx').flatMap((file) => (NOT_CODE.test(file) ? [] : deniedNames(file))),
];
report(violations);

function deniedWording(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, at) =>
      deniedPhrases.flatMap(({ pattern, except, instead }) => {
        const [found] = pattern.exec(line) ?? [];
        if (found === undefined || except?.test(line)) return [];
        return [`${file}:${at + 1}: "${found}": write ${instead}`];
      }),
    );
}

function deniedNames(file: string): string[] {
  const found = new Map<string, string>();
  for (const [name] of withoutText(readFileSync(file, 'utf8')).matchAll(/[A-Za-z_$][\w$]*/g)) {
    const word = wordsOf(name).find((part) => denied.has(part));
    if (word !== undefined) found.set(name, word);
  }
  return Array.from(
    found,
    ([name, word]) => `${file}: ${name}: "${word}" is not a term of ours; write ${denied.get(word)}`,
  );
}

/** `siteLore` and `SITE_LORE` are both `site` and `lore`. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_$]+/);
}

/** Code without comments and texts; what stands inside `${}` counts as text, too. */
function withoutText(code: string): string {
  return code.replaceAll(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g,
    (text) => (text.startsWith('/') ? '' : "''"),
  );
}

// npm run docs: writes docs/reference from the code, so that the pages cannot differ from it. With --check it only tells.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCatalogue } from '../src/core/model/errors.ts';
import { describeSettings, type Setting } from '../src/platform/config/settings.ts';

const folder = join(import.meta.dirname, '../docs/reference');
const pages: Readonly<Record<string, string>> = { 'config.md': configPage(), 'errors.md': errorsPage() };

mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(pages)) {
  const file = join(folder, name);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`docs/reference/${name} is stale: run npm run docs`);
    process.exitCode = 1;
  }
}

function configPage(): string {
  const rows = describeSettings().map((setting) => [
    `\`${setting.path}\``,
    `\`${setting.env}\``,
    valueText(setting),
    setting.defaultText ? inCode(setting.defaultText) : 'not set',
    setting.description + (setting.secret ? '. Secret: masked when shown' : ''),
  ]);
  return page(
    'Settings',
    `A value comes from the environment, else from a config file, else it is the default. The file is
\`pinakes.config.json\` in the working directory, or the one that \`PINAKES_CONFIG\` names: a JSON object in which
\`fetch.timeoutMs\` is written \`{ "fetch": { "timeoutMs": 60000 } }\`. In the environment a list is given with commas, and an
empty variable counts as not set. An unknown setting is refused. Names that begin with \`PINAKES_TEST_\` are left to tests.`,
    ['setting', 'variable', 'value', 'default', 'what it does'],
    rows,
  );
}

function valueText({ kind, choices }: Setting): string {
  return kind === 'choice' ? choices.map((choice) => `\`${choice}\``).join(', ') : kind;
}

/** A default that is described in words has its own marks. */
function inCode(text: string): string {
  return text.includes('`') ? text : `\`${text}\``;
}

function errorsPage(): string {
  const rows = errorCatalogue().map(({ code, http, retry, says, next }) => [
    `\`${code}\``,
    String(http),
    retry ? 'yes' : 'no',
    says,
    next ?? '',
  ]);
  return page(
    'Errors',
    'Every failure that Pinakes reports. The code is stable; the sentence may be improved. *Again* tells whether the same\nrequest may succeed later. Words in braces are filled in.',
    ['code', 'HTTP status', 'again', 'sentence', 'what to do'],
    rows,
  );
}

function page(title: string, about: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
  return `# ${title}\n\n<!-- Written by \`npm run docs\`. Do not edit. -->\n\n${about}\n\n${table}\n`;
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

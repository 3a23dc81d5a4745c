// The licences of packages that a build includes, which require their notice to be included too.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export function licenseTexts(names: readonly string[]): string {
  return names.map(licenseText).join('\n----\n\n');
}

function licenseText(name: string): string {
  const home = join(import.meta.dirname, '..', 'node_modules', name);
  const file = readdirSync(home).find((entry) => /^(?:licen[cs]e|copying)/i.test(entry));
  const { license } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { license: string };
  return `${name}: ${license}\n\n${file === undefined ? '' : readFileSync(join(home, file), 'utf8').trim()}\n`;
}

// HTML files of a site's folder, evenly spread over its sorted paths.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** About `count` files; all of them if there are fewer. */
export function sampleHtmlFiles(folder: string, count: number): readonly string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile() && /\.html?$/.test(entry.name));
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  const step = Math.max(1, Math.floor(paths.length / count));
  return paths.filter((_, index) => index % step === 0);
}

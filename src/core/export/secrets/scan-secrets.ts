// Scans for keys and passwords before a source is exported. Reports the location and the rule, never the value.

import { secretPatterns } from './secret-patterns.table.ts';
import { countLineBreaks } from '../../text/lines.ts';

export interface SecretFinding {
  readonly rule: string;
  readonly path: string;
  /** 1-based, in the extracted document. */
  readonly line: number;
}

/** `firstLine` is the line of the document where the text starts. */
export function scanSecrets(text: string, path: string, firstLine: number): SecretFinding[] {
  const found: SecretFinding[] = [];
  for (const { rule, pattern } of secretPatterns) {
    for (const match of text.matchAll(pattern)) {
      if (isExample(match[0])) continue;
      found.push({ rule, path, line: firstLine + countLineBreaks(text, match.index) });
    }
  }
  return found;
}

/** Placeholders that documentation uses instead of real keys. */
function isExample(value: string): boolean {
  return /example|x{6}|\.{3}|1234567|:(?:password|passwd|pass|secret|pwd)@|user(?:name)?:/i.test(value);
}

// One line of an ignore file as steps of the glob machine: `*`, `?`, `[abc]`, `**/`, `/**`, `\` before a character.

import type { GlobStep } from '../url/glob-program.ts';

const SLASH = 0x2f;
const MAX_RANGE = 128;

interface Reading {
  readonly text: string;
  at: number;
  readonly steps: GlobStep[];
}

/** `anchored` patterns start at the folder of their file, others in any folder below it. Null for what is not supported. */
export function ignoreSteps(text: string, anchored: boolean): readonly GlobStep[] | null {
  const reading: Reading = { text, at: 0, steps: [] };
  if (!anchored) pushAnyFolders(reading.steps);
  while (reading.at < text.length) {
    if (!readStep(reading)) return null;
  }
  return reading.steps;
}

function readStep(reading: Reading): boolean {
  const { text, at, steps } = reading;
  const isStart = at === 0 || text[at - 1] === '/';
  if (isStart && text.startsWith('**/', at)) {
    pushAnyFolders(steps);
    reading.at += 3;
  } else if (isStart && text.slice(at) === '**') {
    steps.push({ kind: 'globstar' });
    reading.at += 2;
  } else if (text[at] === '*') {
    steps.push({ kind: 'star' });
    while (text[reading.at] === '*') reading.at += 1;
  } else if (text[at] === '?') {
    steps.push({ kind: 'any' });
    reading.at += 1;
  } else if (text[at] === '[') return readClass(reading);
  else {
    const skip = text[at] === '\\' && at + 1 < text.length ? 1 : 0;
    steps.push({ kind: 'char', code: text.charCodeAt(at + skip) });
    reading.at += skip + 1;
  }
  return true;
}

/** Any number of folders, none included. */
function pushAnyFolders(steps: GlobStep[]): void {
  const fork = steps.length;
  steps.push({ kind: 'fork', to: [fork + 1, fork + 3] }, { kind: 'globstar' }, { kind: 'char', code: SLASH });
}

function readClass(reading: Reading): boolean {
  const end = reading.text.indexOf(']', reading.at + 2);
  const body = reading.text.slice(reading.at + 1, end);
  if (end === -1 || /^[!^]|[\\[/]/.test(body)) return false;
  const codes = new Set<number>();
  for (let at = 0; at < body.length; at += 1) {
    const from = body.charCodeAt(at);
    const isRange = body[at + 1] === '-' && at + 2 < body.length;
    const to = isRange ? body.charCodeAt(at + 2) : from;
    for (let code = from; code <= to && code - from < MAX_RANGE; code += 1) codes.add(code);
    if (isRange) at += 2;
  }
  reading.steps.push({ kind: 'one-of', codes });
  reading.at = end + 1;
  return true;
}

// Progress on stderr: lines that are rewritten on a terminal, one JSON object for each change elsewhere.

import type { ActionProgress } from '../../actions/action.ts';
import type { CliHost } from './cli-runtime.ts';

export type ShowProgress = (lines: readonly string[], json: Readonly<Record<string, unknown>>) => void;

/** On a terminal the lines replace those before; none at all clears them. */
export function progressLines(host: CliHost): ShowProgress {
  let shown = '';
  let height = 0;
  return (lines, json) => {
    const text = host.isTerminal ? lines.map((line) => `${line}\n`).join('') : `${JSON.stringify(json)}\n`;
    if (text === shown) return;
    host.err(host.isTerminal && height > 0 ? `\u001b[${height}A\u001b[0J${text}` : text);
    shown = text;
    height = lines.length;
  };
}

/** Of an action: shown when another hundredth is done, elsewhere another tenth. */
export function progressTeller(host: CliHost): (progress: ActionProgress) => void {
  const show = progressLines(host);
  const parts = host.isTerminal ? 100 : 10;
  let last = '';
  return ({ step, done, of }) => {
    const isEnd = done >= of;
    const part = `${step} ${Math.floor((done * parts) / Math.max(1, of))}`;
    if (part === last) return;
    last = part;
    show([`${step}: ${done} of ${of}`], { progress: { step, done, of } });
    if (host.isTerminal && isEnd) show([], {});
  };
}

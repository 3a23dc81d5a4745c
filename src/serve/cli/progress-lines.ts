// Progress on stderr: a line that is rewritten on a terminal, one JSON object for each change elsewhere.

import type { ActionProgress } from '../../actions/action.ts';
import type { CliHost } from './cli-host.ts';

export type ShowProgress = (line: string, json: Readonly<Record<string, unknown>>) => void;

export function progressLines(host: CliHost): ShowProgress {
  let shown = '';
  return (line, json) => {
    const text = host.isTerminal ? `\r\u001b[2K${line}` : `${JSON.stringify(json)}\n`;
    if (text !== shown) host.err(text);
    shown = text;
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
    show(`${step}: ${done} of ${of}`, { progress: { step, done, of } });
    if (host.isTerminal && isEnd) host.err('\r\u001b[2K');
  };
}

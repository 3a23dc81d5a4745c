// Writes to a terminal on stderr: messages that stay, and below them status lines that are rewritten.

import { cleanLine } from '../../../core/extract/decode/clean-text.ts';
import { displayUrl } from '../../../core/files/file-url.ts';

export interface TerminalOutput {
  /** Replaces the status lines; none clears them. */
  showStatus(lines: readonly string[]): void;
  /** Above the status lines. */
  write(text: string): void;
}

export function createTerminalOutput(write: (text: string) => void): TerminalOutput {
  let status = '';
  let height = 0;
  const erase = (): string => (height > 0 ? `\u001b[${height}A\u001b[0J` : '');
  return {
    showStatus(lines) {
      const text = lines.map((line) => `${line}\n`).join('');
      if (text === status) return;
      write(`${erase()}${text}`);
      status = text;
      height = lines.length;
    },
    write: (text) => write(`${erase()}${text}${status}`),
  };
}

interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly url?: string;
  readonly error?: { readonly message?: string };
}

/** A line of the log as a sentence; null for one that concerns operators only. */
export function renderLogLine(line: string): string | null {
  const { level, message, url, error } = JSON.parse(line) as LogLine;
  if (level !== 'warn' && level !== 'error') return null;
  const about = [url === undefined ? undefined : displayUrl(url), error?.message]
    .filter((part) => part !== undefined)
    .join(': ');
  // An error may quote what a site sent.
  return `${level === 'warn' ? 'Warning' : 'Error'}: ${cleanLine(`${message}${about === '' ? '' : ` (${about})`}`)}.\n`;
}

// How much of a folder is read: the files over it are excluded, as on the command line. The choice is kept in this browser.

import { useState, type ReactNode } from 'react';
import { FILE_SOURCE_LIMITS } from '../../src/core/files/file-limits.ts';

const KEY = 'pinakes-browser-max-megabytes';
const MEGABYTE = 1024 * 1024;
const DEFAULT_MEGABYTES = FILE_SOURCE_LIMITS.maxSourceBytes / MEGABYTE;
/** The memory of a tab sets the limit: an index is several times as large as its files. */
const MAX_MEGABYTES = 1000;

export function readMaxBytes(): number {
  return readMegabytes() * MEGABYTE;
}

/** A page that was opened from a disk may have no storage. */
function readMegabytes(): number {
  try {
    return parseMegabytes(localStorage.getItem(KEY) ?? '') ?? DEFAULT_MEGABYTES;
  } catch {
    return DEFAULT_MEGABYTES;
  }
}

function parseMegabytes(text: string): number | null {
  const megabytes = Number(text);
  return Number.isInteger(megabytes) && megabytes >= 1 && megabytes <= MAX_MEGABYTES ? megabytes : null;
}

export function SizeLimit(): ReactNode {
  const [text, setText] = useState(() => String(readMegabytes()));
  const change = (typed: string): void => {
    setText(typed);
    const megabytes = parseMegabytes(typed);
    try {
      if (megabytes !== null) localStorage.setItem(KEY, String(megabytes));
    } catch {
      // It then counts for this visit only.
    }
  };
  return (
    <p className="row muted">
      <label htmlFor="max-megabytes">Read at most</label>
      <input
        className="input size-limit"
        id="max-megabytes"
        type="number"
        inputMode="numeric"
        min={1}
        max={MAX_MEGABYTES}
        value={text}
        aria-invalid={parseMegabytes(text) === null}
        onChange={(event) => change(event.target.value)}
      />
      <span>MB of a folder.</span>
    </p>
  );
}

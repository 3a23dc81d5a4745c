// The newest requests for a URL, in its own row of the frontier: a line for each, newest first, cut at a length. A separate row
// for each would be the largest table of a library, and is only ever read for one URL.

import type { RunId } from '../../../core/model/run.ts';
import type { RecordedFetch, UrlFetch } from '../../port/frontier.ts';

/** Some eight requests. */
const MAX_CHARS = 400;
const MAX_TYPE_CHARS = 60;
const SEPARATOR = '\t';

/** The content of a line after its time; null if no request was sent. */
export function fetchLine(run: RunId, fetch: UrlFetch | undefined): string | null {
  if (fetch === undefined) return null;
  const { status, bytes, firstByteMs, totalMs, mediaType, error } = fetch;
  const numbers = [run, status, bytes, firstByteMs, totalMs].map((one) =>
    one === null ? '' : String(Math.round(one)),
  );
  return `${[...numbers, cleanType(mediaType), error ?? ''].join(SEPARATOR)}\n`;
}

function cleanType(mediaType: string | null): string {
  const [type = ''] = (mediaType ?? '').split(';');
  return type.replaceAll(/\s/g, '').slice(0, MAX_TYPE_CHARS);
}

/** In SQL: the requests of a row with one more, which may be null. */
export function withFetchSql(fetches: string, line: string): string {
  return `case when ${line} is null then ${fetches} else substr(cast(now_ms() as text) || '${SEPARATOR}' || ${line} || coalesce(${fetches}, ''), 1, ${MAX_CHARS}) end`;
}

/** Skips the last line if it was cut. */
export function readFetches(text: string | null): readonly RecordedFetch[] {
  return (text ?? '').split('\n').slice(0, -1).map(readLine);
}

function readLine(line: string): RecordedFetch {
  const [at, run, status, bytes, firstByteMs, totalMs, mediaType = '', error = ''] = line.split(SEPARATOR);
  return {
    run: Number(run) as RunId,
    at: new Date(Number(at)),
    status: numberOrNull(status),
    bytes: Number(bytes),
    mediaType: mediaType === '' ? null : mediaType,
    firstByteMs: numberOrNull(firstByteMs),
    totalMs: numberOrNull(totalMs),
    error: error === '' ? null : error,
  };
}

function numberOrNull(text: string | undefined): number | null {
  return text === undefined || text === '' ? null : Number(text);
}

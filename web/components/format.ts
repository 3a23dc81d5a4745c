// Formats numbers, times and URLs for display.

const wholeNumber = new Intl.NumberFormat('en-GB');
const compactNumber = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 });

export function formatCount(n: number): string {
  return wholeNumber.format(n);
}

/** `1 page`, `2 pages`. */
export function formatQuantity(n: number, what: string): string {
  return `${formatCount(n)} ${pluralize(n, what)}`;
}

export function pluralize(n: number, what: string): string {
  return n === 1 ? what : `${what}s`;
}

/** `12.4k`, where space is tight. */
export function formatCompact(n: number): string {
  return n < 10_000 ? wholeNumber.format(n) : compactNumber.format(n);
}

export function formatBytes(n: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let at = 0;
  let value = n;
  while (value >= 1000 && at < units.length - 1) {
    value /= 1000;
    at += 1;
  }
  return `${value >= 100 || at === 0 ? Math.round(value) : value.toFixed(1)} ${units[at] ?? ''}`;
}

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** How long a run took, or has taken so far. */
export function formatElapsed({ startedAt, endedAt }: RunTimes): string {
  if (startedAt === null) return '';
  return formatDuration((endedAt === null ? Date.now() : Date.parse(endedAt)) - Date.parse(startedAt));
}

interface RunTimes {
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

export function formatAgo(iso: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(iso)) / 1000));
  if (seconds < 45) return 'just now';
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 36) return `${hours} h ago`;
  return `${Math.round(hours / 24)} days ago`;
}

/** `in 2 h` for a time in the future, `now` once it has passed. */
export function formatUntil(iso: string, now = Date.now()): string {
  const minutes = Math.round((Date.parse(iso) - now) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `in ${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 36 ? `in ${hours} h` : `in ${Math.round(hours / 24)} days`;
}

/** The part of a URL that distinguishes the pages of one source. */
export function pathOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search, protocol } = new URL(url);
  const path = `${decodePath(pathname)}${search}`;
  return protocol === 'file:' ? path.replace(/^\/+/, '') : path;
}

function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

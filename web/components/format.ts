// Numbers and times as people read them.

const whole = new Intl.NumberFormat('en-GB');
const short = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 });

export function count(n: number): string {
  return whole.format(n);
}

/** `1 page`, `2 pages`. */
export function counted(n: number, what: string): string {
  return `${count(n)} ${nounOf(n, what)}`;
}

export function nounOf(n: number, what: string): string {
  return n === 1 ? what : `${what}s`;
}

/** `12.4k` where there is little room. */
export function brief(n: number): string {
  return n < 10_000 ? whole.format(n) : short.format(n);
}

export function bytes(n: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let at = 0;
  let value = n;
  while (value >= 1000 && at < units.length - 1) {
    value /= 1000;
    at += 1;
  }
  return `${value >= 100 || at === 0 ? Math.round(value) : value.toFixed(1)} ${units[at] ?? ''}`;
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function ago(iso: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(iso)) / 1000));
  if (seconds < 45) return 'just now';
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 36) return `${hours} h ago`;
  return `${Math.round(hours / 24)} days ago`;
}

/** For what has not come yet; `now` once it has. */
export function until(iso: string, now = Date.now()): string {
  const minutes = Math.round((Date.parse(iso) - now) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `in ${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 36 ? `in ${hours} h` : `in ${Math.round(hours / 24)} days`;
}

/** The part of an address that tells pages of one source apart. */
export function pathOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search, protocol } = new URL(url);
  const path = `${decoded(pathname)}${search}`;
  return protocol === 'file:' ? path.replace(/^\/+/, '') : path;
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

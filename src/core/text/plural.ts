// Counts, sizes and times in sentences.

/** `1 page`, `1,312 pages`. */
export function pluralize(n: number, what: string): string {
  return `${thousands(n)} ${what}${n === 1 ? '' : 's'}`;
}

/** `12,345`. */
export function thousands(n: number): string {
  return n.toLocaleString('en-US');
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return bytes < 1_000_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

/** `3m 45s`. */
export function formatDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return [...(hours > 0 ? [`${hours}h`] : []), ...(seconds >= 60 ? [`${minutes}m`] : []), `${seconds % 60}s`].join(' ');
}

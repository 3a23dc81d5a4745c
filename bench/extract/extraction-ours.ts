// Loads our extractor for the benchmark; null if it is missing, as in an older checkout.

import { existsSync } from 'node:fs';

type ExtractHtml = (input: { url: string; html: string }) => { readonly text: string };

export async function openOurs(): Promise<((url: string, html: string) => string) | null> {
  const file = new URL('../../src/core/extract/html/extract-html.ts', import.meta.url);
  if (!existsSync(file)) return null;
  const { extractHtml }: { extractHtml: ExtractHtml } = await import(file.href);
  return (url, html) => extractHtml({ url, html }).text;
}

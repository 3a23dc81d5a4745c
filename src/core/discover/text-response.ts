// Tells a plain text response from an HTML page: many sites respond to any URL with status 200 and HTML.

export interface TextResponse {
  readonly status: number;
  /** Content-Type as sent. */
  readonly mediaType: string | null;
  /** The start is enough. */
  readonly body: string;
}

/** Null if the response is text: status 200, a text type, and a body that is not HTML. */
export function textResponseProblem({ status, mediaType, body }: TextResponse): string | null {
  if (status !== 200) return `status ${status}`;
  if (!isTextType(mediaType)) return `type ${mediaType ?? 'unknown'}`;
  return looksLikeHtml(body) ? 'the body is HTML' : null;
}

function isTextType(mediaType: string | null): boolean {
  const type = mediaType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'text/html') return false;
  return type.startsWith('text/') || type === 'application/markdown' || type === 'application/x-markdown';
}

const HTML_START = /^(?:<!doctype\s+html|<\?xml|<html[\s>]|<head[\s>]|<body[\s>])/;

function looksLikeHtml(body: string): boolean {
  let start = body
    .slice(0, 4096)
    .replace(/^\uFEFF/, '')
    .trimStart()
    .toLowerCase();
  while (start.startsWith('<!--') && start.includes('-->')) start = start.slice(start.indexOf('-->') + 3).trimStart();
  return HTML_START.test(start);
}

// Decides where a link in a document may lead: to a page of the same host, to the web, or nowhere. Documents are untrusted.

export type SafeLink =
  | { readonly kind: 'page'; readonly url: string; readonly fragment: string }
  | { readonly kind: 'web'; readonly url: string }
  | { readonly kind: 'none' };

/** `page` for a URL on the same host as the document, which the library may hold. */
export function safeLink(target: string, base: string): SafeLink {
  if (!URL.canParse(target, base)) return { kind: 'none' };
  const url = new URL(target, base);
  const home = URL.canParse(base) ? new URL(base) : null;
  const fragment = url.hash.slice(1);
  if (
    home !== null &&
    url.protocol === home.protocol &&
    url.host === home.host &&
    /^(?:https?|file):$/.test(url.protocol)
  ) {
    url.hash = '';
    return { kind: 'page', url: url.href, fragment };
  }
  return url.protocol === 'https:' || url.protocol === 'http:' ? { kind: 'web', url: url.href } : { kind: 'none' };
}

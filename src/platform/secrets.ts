// Secrets of private sources: environment variables that the operator opened for one origin each. A request can name such a
// variable, but never have it sent anywhere else, nor read any other.

export type SecretVerdict =
  | { readonly kind: 'secret'; readonly value: string }
  | { readonly kind: 'not-opened' }
  | { readonly kind: 'empty' };

export type SecretFor = (variable: string, origin: string) => SecretVerdict;

/** Such as `DOCS_TOKEN@https://docs.corp.example`. */
export const OPENED_SECRET = /^([A-Z][A-Z0-9_]{0,99})@(https?:\/\/[^\s/?#@]+)$/;

export function createSecretFor(
  opened: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): SecretFor {
  const origins = new Map<string, Set<string>>();
  for (const entry of opened) {
    const [, name = '', origin = ''] = OPENED_SECRET.exec(entry) ?? [];
    const place = URL.parse(origin)?.origin;
    if (place !== undefined) origins.set(name, (origins.get(name) ?? new Set<string>()).add(place));
  }
  return (variable, origin) => {
    if (!origins.get(variable)?.has(origin)) return { kind: 'not-opened' };
    const value = env[variable] ?? '';
    return value === '' ? { kind: 'empty' } : { kind: 'secret', value };
  };
}

/** For the redactor: whatever happens, these values are in no log. */
export function openedValues(
  opened: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return opened.map((entry) => env[OPENED_SECRET.exec(entry)?.[1] ?? ''] ?? '').filter((value) => value !== '');
}

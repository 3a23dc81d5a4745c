// Secrets of private sources: environment variables that the operator allows for one origin each. A request can name such
// a variable, but cannot have it sent anywhere else or read any other.

export type SecretVerdict =
  | { readonly kind: 'secret'; readonly value: string }
  | { readonly kind: 'not-opened' }
  | { readonly kind: 'empty' };

export type SecretFor = (variable: string, origin: string) => SecretVerdict;

/** Such as `DOCS_TOKEN@https://docs.corp.example`. */
export const ALLOWED_SECRET = /^([A-Z][A-Z0-9_]{0,99})@(https?:\/\/[^\s/?#@]+)$/;

export function createSecretFor(
  allowedSecrets: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): SecretFor {
  const origins = new Map<string, Set<string>>();
  for (const entry of allowedSecrets) {
    const [, name = '', origin = ''] = ALLOWED_SECRET.exec(entry) ?? [];
    const allowed = URL.parse(origin)?.origin;
    if (allowed !== undefined) origins.set(name, (origins.get(name) ?? new Set<string>()).add(allowed));
  }
  return (variable, origin) => {
    if (!origins.get(variable)?.has(origin)) return { kind: 'not-opened' };
    const value = env[variable] ?? '';
    return value === '' ? { kind: 'empty' } : { kind: 'secret', value };
  };
}

/** Values for the redactor, so that they never appear in a log. */
export function secretEnvValues(
  allowedSecrets: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return allowedSecrets
    .map((entry) => env[ALLOWED_SECRET.exec(entry)?.[1] ?? ''] ?? '')
    .filter((value) => value !== '');
}

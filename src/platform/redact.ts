// Removes secrets from text before it is written anywhere. It works on whole records, never on parts of a stream,
// and in linear time, because the text may come from a hostile page.

export type Redact = (text: string) => string;

const REDACTED = '[redacted]';

/** Values with the prefix of a known kind of key. */
const KEY_SHAPE =
  /\b(?:sk-[\w-]{8,}|gh[pousr]_[a-z\d]{10,}|github_pat_\w{10,}|glpat-[\w-]{8,}|xox[abeprs]-[\w-]{8,}|A[KS]IA[A-Z\d]{12,}|AIza[\w-]{16,}|npm_[a-z\d]{16,}|hf_[a-z\d]{16,}|pnk_[\w-]{16,}|eyJ[\w-]{6,}(?:\.[\w-]+)*)/gi;
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[\s\S]*?-----END [A-Z ]{0,40}-----|[\s\S]*$)/g;

/** The private part of a JSON web key. */
const PRIVATE_JWK = /((?:"d"|\bd)\\?["']?\s*:\s*\\?["'])[\w-]{43,1400}(?=\\?["'])/g;

const AUTHORIZATION = /\b((?:proxy-)?authorization["']?\s*[:=]\s*["']?)(?:(bearer|basic|digest|token)\s+)?[^\s"']+/gi;
const COOKIE = /\b((?:set-)?cookie["']?\s*[:=]\s*["']?)[^\r\n"']+/gi;
const KEY_HEADER = /\b(x-[a-z-]{0,20}(?:key|token|secret|password)["']?\s*[:=]\s*["']?)[^\s"']+/gi;
const PARAMETER =
  /([?&;](?:access_token|api[-_]?key|auth|client_secret|code|id_token|key|passw(?:or)?d|pwd|refresh_token|secret|sig(?:nature)?|token|x-amz-(?:credential|security-token|signature))=)[^&#\s"'<>]+/gi;
const DATABASE_URL = /\b((?:postgres(?:ql)?|mysql|redis|rediss|mongodb):\/\/[^\s:/@"']*:)[^\s/"']*@/gi;
const URL_LOGIN = /\b((?:https?|ftp|wss?):\/\/)[^\s/?#"'<>]+@/gi;
const SECRET_NAME = /^(?:env|.*(?:authorization|cookie|password|passwd|secret|token|api[-_]?key|private[-_]?key))$/i;

/** Whether a field is masked because of its name. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.slice(0, 100));
}

export function redactText(text: string): string {
  return text
    .replace(PRIVATE_KEY, REDACTED)
    .replace(PRIVATE_JWK, `$1${REDACTED}`)
    .replace(AUTHORIZATION, (_, head: string, scheme?: string) => head + (scheme ? `${scheme} ` : '') + REDACTED)
    .replace(COOKIE, `$1${REDACTED}`)
    .replace(KEY_HEADER, `$1${REDACTED}`)
    .replace(PARAMETER, `$1${REDACTED}`)
    .replace(DATABASE_URL, `$1${REDACTED}@`)
    .replace(URL_LOGIN, `$1${REDACTED}@`)
    .replace(KEY_SHAPE, REDACTED)
    .replace(/\S+/g, (word) => (word.includes('%') ? redactEncoded(word) : word));
}

/** Also removes the given values, as written and in their usual encodings. */
export function createRedactor(secrets: readonly string[]): Redact {
  const spellings = new Set<string>();
  for (const secret of secrets) {
    // A shorter value is not a secret, and removing it would shred ordinary words.
    if (secret.length < 4) continue;
    const bytes = Buffer.from(secret);
    const encodings = (['base64', 'base64url', 'hex'] as const).map((encoding) => bytes.toString(encoding));
    for (const spelling of [secret, encodeURIComponent(secret), ...encodings])
      spellings.add(spelling.replace(/=+$/, ''));
  }
  const longestFirst = [...spellings].sort((a, b) => b.length - a.length);
  return (text) => redactText(longestFirst.reduce((rest, spelling) => rest.replaceAll(spelling, REDACTED), text));
}

/** `%73k-…` is a key too. A word without a secret keeps its encoding. */
function redactEncoded(word: string): string {
  let plain: string;
  try {
    plain = decodeURIComponent(word);
  } catch {
    return word;
  }
  const clean = plain.replace(KEY_SHAPE, REDACTED);
  return clean === plain ? word : clean;
}

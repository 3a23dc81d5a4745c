// Takes secrets out of text before it is written anywhere. It works on whole records, never on pieces of a stream,
// and in linear time: what it reads may come from a hostile page.

export type Redact = (text: string) => string;

const GONE = '[redacted]';

/** Values that look like a key by their beginning, whoever issued them. */
const KEY_SHAPE =
  /\b(?:sk-[\w-]{8,}|gh[pousr]_[a-z\d]{10,}|github_pat_\w{10,}|glpat-[\w-]{8,}|xox[abeprs]-[\w-]{8,}|A[KS]IA[A-Z\d]{12,}|AIza[\w-]{16,}|npm_[a-z\d]{16,}|hf_[a-z\d]{16,}|pnk_[\w-]{16,}|eyJ[\w-]{6,}(?:\.[\w-]+)*)/gi;
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[\s\S]*?-----END [A-Z ]{0,40}-----|[\s\S]*$)/g;

const AUTHORIZATION = /\b((?:proxy-)?authorization["']?\s*[:=]\s*["']?)(?:(bearer|basic|digest|token)\s+)?[^\s"']+/gi;
const COOKIE = /\b((?:set-)?cookie["']?\s*[:=]\s*["']?)[^\r\n"']+/gi;
const KEY_HEADER = /\b(x-[a-z-]{0,20}(?:key|token|secret|password)["']?\s*[:=]\s*["']?)[^\s"']+/gi;
const PARAMETER =
  /([?&;](?:access_token|api[-_]?key|auth|client_secret|code|id_token|key|passw(?:or)?d|pwd|refresh_token|secret|sig(?:nature)?|token|x-amz-(?:credential|security-token|signature))=)[^&#\s"'<>]+/gi;
const DATABASE_URL = /\b((?:postgres(?:ql)?|mysql|redis|rediss|mongodb):\/\/[^\s:/@"']*:)[^\s/"']*@/gi;
const URL_LOGIN = /\b((?:https?|ftp|wss?):\/\/)[^\s/?#"'<>]+@/gi;
const SECRET_NAME = /^(?:env|.*(?:authorization|cookie|password|passwd|secret|token|api[-_]?key|private[-_]?key))$/i;

/** Whether a field of a record is to be masked by its name alone. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.slice(0, 100));
}

export function redactText(text: string): string {
  return text
    .replace(PRIVATE_KEY, GONE)
    .replace(AUTHORIZATION, (_, head: string, scheme?: string) => head + (scheme ? `${scheme} ` : '') + GONE)
    .replace(COOKIE, `$1${GONE}`)
    .replace(KEY_HEADER, `$1${GONE}`)
    .replace(PARAMETER, `$1${GONE}`)
    .replace(DATABASE_URL, `$1${GONE}@`)
    .replace(URL_LOGIN, `$1${GONE}@`)
    .replace(KEY_SHAPE, GONE)
    .replace(/\S+/g, (word) => (word.includes('%') ? redactEncoded(word) : word));
}

/** Also takes out the given values, as they are and in the forms in which they travel. */
export function createRedactor(secrets: readonly string[]): Redact {
  const forms = new Set<string>();
  for (const secret of secrets) {
    // A shorter value is no secret, and taking it out would shred ordinary words.
    if (secret.length < 4) continue;
    const bytes = Buffer.from(secret);
    const encodings = (['base64', 'base64url', 'hex'] as const).map((encoding) => bytes.toString(encoding));
    for (const form of [secret, encodeURIComponent(secret), ...encodings]) forms.add(form.replace(/=+$/, ''));
  }
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  return (text) => redactText(longestFirst.reduce((rest, form) => rest.replaceAll(form, GONE), text));
}

/** `%73k-…` is a key all the same. A word that holds no secret keeps its encoding. */
function redactEncoded(word: string): string {
  let plain: string;
  try {
    plain = decodeURIComponent(word);
  } catch {
    return word;
  }
  const clean = plain.replace(KEY_SHAPE, GONE);
  return clean === plain ? word : clean;
}

// The signed files of a catalogue. What is signed is the canonical form of the `signed` object, so that a file may be formatted freely;
// the root alone states which keys may sign a kind of file.

import { z } from 'zod';
import { pinakesError } from '../model/errors.ts';
import { sha256Hex } from '../model/hash.ts';
import { compareText } from '../text/compare-text.ts';
import { decodeUtf8 } from '../text/decode-utf8.ts';
import { parseJson } from '../text/parse-json.ts';

/** SHA-256 of a public key, in hexadecimal digits. */
export const KeyId = z.string().regex(/^[0-9a-f]{64}$/);

/** The 32 bytes of a public Ed25519 key in base64url. */
export const PublicKey = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

const MAX_SIGNATURES = 100;

const Envelope = z.strictObject({
  signed: z.record(z.string(), z.unknown()),
  signatures: z
    .array(z.strictObject({ keyId: KeyId, signature: z.string().regex(/^[A-Za-z0-9_-]{86}$/) }))
    .max(MAX_SIGNATURES),
});

export type SignatureEnvelope = z.output<typeof Envelope>;

/** Who may sign, and how many of them must. */
export interface SigningRole {
  readonly keyIds: readonly string[];
  readonly threshold: number;
}

/** Whether the signature over the message is that of the public key. */
export type VerifySignature = (publicKey: string, message: string, signature: string) => boolean;

export function keyIdOf(publicKey: string): string {
  return sha256Hex(publicKey);
}

const MAX_DEPTH = 40;

/** JSON with sorted keys and without spaces: equal values have equal texts. Raises `catalog.malformed`. */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) throw pinakesError('catalog.malformed', { file: 'it', reason: 'it is nested too deeply' });
  if (Array.isArray(value)) return `[${value.map((one) => canonicalJson(one, depth + 1)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => compareText(left, right))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member, depth + 1)}`);
  return `{${members.join(',')}}`;
}

/** The text of a signed file. */
export function signedText(signed: object, signatures: SignatureEnvelope['signatures']): string {
  return `${JSON.stringify({ signatures, signed }, null, 1)}\n`;
}

export interface SignedFile<Content> {
  readonly content: Content;
  readonly envelope: SignatureEnvelope;
}

/** Raises `catalog.malformed`. Its signatures are not checked. */
export function parseSigned<Content>(file: string, bytes: Uint8Array, schema: z.ZodType<Content>): SignedFile<Content> {
  const parsed = Envelope.safeParse(parseJson(decodeUtf8(bytes)));
  if (!parsed.success) throw pinakesError('catalog.malformed', { file, reason: 'it is not a signed file' });
  const content = schema.safeParse(parsed.data.signed);
  if (content.success) return { content: content.data, envelope: parsed.data };
  const [issue] = content.error.issues;
  const reason = `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'it is not valid'}`;
  throw pinakesError('catalog.malformed', { file, reason });
}

/**
 * As many keys of the role must have signed the file as its threshold says; a key counts once, however often it signed. Raises
 * `catalog.changed-file` if a key of the role signed other content, `catalog.wrong-key` if only other keys signed, otherwise `catalog.unsigned`.
 */
export function requireSignatures(
  file: string,
  { signed, signatures }: SignatureEnvelope,
  { role, keys, verify }: { role: SigningRole; keys: Readonly<Record<string, string>>; verify: VerifySignature },
): void {
  const message = canonicalJson(signed);
  const signers = new Set<string>();
  let isChanged = false;
  for (const { keyId, signature } of signatures) {
    const key = Object.hasOwn(keys, keyId) ? keys[keyId] : undefined;
    if (key === undefined || signers.has(keyId) || !role.keyIds.includes(keyId)) continue;
    if (verify(key, message, signature)) signers.add(keyId);
    else isChanged = true;
  }
  if (signers.size >= role.threshold) return;
  if (isChanged) throw pinakesError('catalog.changed-file', { file });
  if (signers.size === 0 && signatures.length > 0) throw pinakesError('catalog.wrong-key', { file });
  throw pinakesError('catalog.unsigned', { file, found: signers.size, threshold: role.threshold });
}

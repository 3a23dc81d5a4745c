// Signs requests for Web Bot Auth: a site can verify who crawls it by a key that the operator publishes. A signature is for one host and
// one minute, so it is worth nothing elsewhere or later.

import { secretBytes } from '../../platform/clock.ts';
import { signMessage } from '../../platform/message-signature.ts';
import { signingKeyAt, watchSigningKeys } from '../../platform/signing-keys.ts';

/** The headers that prove who sends a request to a URL; none while no key is valid. */
export type SignRequest = (url: URL) => Readonly<Record<string, string>>;

export const SIGNATURE_LIFETIME_SECONDS = 60;
const NONCE_BYTES = 64;
const LABEL = 'sig1';

/** Null without signing keys. Raises `signing.unusable`. */
export function createSignRequest(
  {
    signingKeys,
    signatureAgent,
  }: { readonly signingKeys?: string | undefined; readonly signatureAgent?: string | undefined },
  now: () => number,
): SignRequest | null {
  if (signingKeys === undefined || signatureAgent === undefined) return null;
  const keys = watchSigningKeys(signingKeys, now);
  const agent = `"${signatureAgent}"`;
  return (url) => {
    const nowMs = now();
    const key = signingKeyAt(keys(), nowMs);
    if (key === null) return {};
    const created = Math.floor(nowMs / 1000);
    const signed = signMessage(
      [
        ['"@authority"', url.host],
        [`"signature-agent";key="${LABEL}"`, agent],
      ],
      {
        created,
        keyid: key.keyId,
        alg: 'ed25519',
        expires: created + SIGNATURE_LIFETIME_SECONDS,
        nonce: secretBytes(NONCE_BYTES).toString('base64'),
        tag: 'web-bot-auth',
      },
      { key: key.privateKey, label: LABEL },
    );
    return { 'signature-agent': `${LABEL}=${agent}`, ...signed };
  };
}

// Ed25519 keys of a publisher, as PEM files, and the signatures that they make and check.

import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import {
  canonicalJson,
  keyIdOf,
  type SignatureEnvelope,
  type VerifySignature,
} from '../../core/catalog/signed-file.ts';
import { pinakesError } from '../../core/model/errors.ts';

export interface SigningKey {
  readonly keyId: string;
  /** The 32 bytes in base64url. */
  readonly publicKey: string;
  /** Null for a file with a public key, whose owner signs elsewhere. */
  readonly privateKey: KeyObject | null;
}

/** A new private key as a PEM file. */
export function generateSigningKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}

/** A private or a public key. Raises `input.invalid`. */
export function parseSigningKey(file: string, pem: string): SigningKey {
  try {
    const privateKey = pem.includes('PRIVATE KEY') ? createPrivateKey(pem) : null;
    const { kty, crv, x } = createPublicKey(privateKey ?? pem).export({
      format: 'jwk',
    });
    if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string') throw new Error('another kind of key');
    return { keyId: keyIdOf(x), publicKey: x, privateKey };
  } catch (error) {
    throw pinakesError('input.invalid', { reason: `${file} is not an Ed25519 key in PEM form` }, error);
  }
}

/** One signature for each key that can sign. */
export function signWith(signed: object, keys: readonly SigningKey[]): SignatureEnvelope['signatures'] {
  const message = Buffer.from(canonicalJson(signed));
  return keys.flatMap(({ keyId, privateKey }) =>
    privateKey === null ? [] : [{ keyId, signature: sign(null, message, privateKey).toString('base64url') }],
  );
}

/** False for whatever is not a signature, too. */
export const verifySignature: VerifySignature = (publicKey, message, signature) => {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
    return verify(null, Buffer.from(message), key, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
};

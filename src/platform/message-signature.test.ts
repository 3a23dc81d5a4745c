import { createHash, createPrivateKey, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { signatureBase, signMessage, type SignatureParameters, type SignedComponents } from './message-signature.ts';

interface Vector {
  readonly id: string;
  readonly label: string;
  readonly components: SignedComponents;
  readonly parameters: SignatureParameters;
  readonly signatureInput: string;
  readonly signature: string;
}

const file = new URL('../../test/data/cases/message-signatures.json', import.meta.url);
const { key, keyId, vectors } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly key: { readonly kty: string; readonly crv: string; readonly x: string; readonly d: string };
  readonly keyId: string;
  readonly vectors: readonly Vector[];
};
const privateKey = createPrivateKey({ key, format: 'jwk' });

test.each(vectors)('$id: the headers are those of the vector', (vector) => {
  const { components, parameters, label, signatureInput, signature } = vector;
  expect(signMessage(components, parameters, { key: privateKey, label })).toEqual({
    'signature-input': signatureInput,
    signature,
  });
});

test.each(vectors)('$id: the signature of the vector is one of our base, and of no other', (vector) => {
  const { components, signatureInput, signature, label } = vector;
  const params = signatureInput.slice(label.length + 1);
  const bytes = Buffer.from(signature.slice(label.length + 2, -1), 'base64');
  const isValid = (signed: SignedComponents): boolean =>
    verify(null, Buffer.from(signatureBase(signed, params)), createPublicKey(privateKey), bytes);
  expect(isValid(components)).toBe(true);
  expect(isValid(components.map(([name, value]) => [name, value.replace('example.com', 'evil.example')]))).toBe(
    !JSON.stringify(components).includes('example.com'),
  );
  expect(isValid(components.slice(1))).toBe(false);
});

test('the id of the key is its thumbprint', () => {
  const { crv, kty, x } = key;
  expect(createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url')).toBe(keyId);
});

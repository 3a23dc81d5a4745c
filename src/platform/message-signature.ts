// HTTP message signatures with Ed25519 (RFC 9421): the signature base of a message, and the two headers of its signature.

import { sign, type KeyObject } from 'node:crypto';

/** What a signature covers, in its order: an identifier such as `"@authority";req`, and its value in the message. */
export type SignedComponents = ReadonlyArray<readonly [identifier: string, value: string]>;

/** In the order in which they are sent; texts have printable ASCII characters, without quotes and backslashes. */
export type SignatureParameters = Readonly<Record<string, string | number>>;

export interface SignatureHeaders {
  readonly 'signature-input': string;
  readonly signature: string;
}

export function signatureParams(components: SignedComponents, parameters: SignatureParameters): string {
  const identifiers = components.map(([identifier]) => identifier).join(' ');
  const named = Object.entries(parameters).map(
    ([name, value]) => `;${name}=${typeof value === 'number' ? value : `"${value}"`}`,
  );
  return `(${identifiers})${named.join('')}`;
}

export function signatureBase(components: SignedComponents, params: string): string {
  const lines = components.map(([identifier, value]) => `${identifier}: ${value}`);
  return [...lines, `"@signature-params": ${params}`].join('\n');
}

/** `label` tells several signatures of one message apart. */
export function signMessage(
  components: SignedComponents,
  parameters: SignatureParameters,
  { key, label }: { readonly key: KeyObject; readonly label: string },
): SignatureHeaders {
  const params = signatureParams(components, parameters);
  const signature = sign(null, Buffer.from(signatureBase(components, params)), key).toString('base64');
  return { 'signature-input': `${label}=${params}`, signature: `${label}=:${signature}:` };
}

// Creates certificates for test servers, so that the repository contains no private key.

import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateOptions {
  /** Names and IPv4 addresses it is valid for. */
  readonly names: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** Self-signed: a client trusts it if it is among its authorities. */
export function selfSigned({ names, notBefore, notAfter }: CertificateOptions): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = sequence(set(sequence(oid('550403'), der(0x0c, Buffer.from(names[0] ?? 'test')))));
  const algorithm = sequence(oid('2a8648ce3d040302'));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1 + Math.floor(Math.random() * 126)])),
    algorithm,
    subject,
    sequence(time(notBefore), time(notAfter)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(oid('551d11'), der(0x04, sequence(...names.map(alternativeName)))))),
  );
  const signed = sequence(body, algorithm, bits(sign('sha256', body, privateKey)));
  return { cert: pem('CERTIFICATE', signed), key: keyText(privateKey) };
}

function alternativeName(name: string): Buffer {
  const isAddress = /^[\d.]+$/.test(name);
  return isAddress ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name));
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const set = (...parts: readonly Buffer[]): Buffer => der(0x31, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const bits = (content: Buffer): Buffer => der(0x03, Buffer.from([0]), content);
const time = (date: Date): Buffer =>
  der(0x18, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`));

function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}

function keyText(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

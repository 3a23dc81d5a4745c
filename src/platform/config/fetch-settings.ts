// Settings of requests: limits, allowed addresses, and package registries.

import { isIP } from 'node:net';
import { z } from 'zod';
import { parsePortRange } from '../../core/model/setting-formats.ts';
import { PROGRAM_VERSION } from '../program-version.ts';
import { ALLOWED_SECRET } from '../secrets.ts';
import { count, lower, ms } from './setting-kinds.ts';

const cidr = z.string().refine(isCidr, 'not an address range such as 10.1.0.0/16 or fd00::/8');

/** A port is a number, a range is text. */
const portRange = z.union([z.number(), z.string()]).transform((value, context) => {
  const range = parsePortRange(String(value));
  if (range !== null) return range.first === range.last ? range.first : `${range.first}-${range.last}`;
  context.addIssue({ code: 'custom', message: 'not a port such as 3000 or a range such as 21000-21200' });
  return z.NEVER;
});

export const fetch = z.strictObject({
  timeoutMs: ms(60_000).describe('Timeout of a whole response, from request to last byte'),
  headerTimeoutMs: ms(15_000).describe('Timeout for the response headers'),
  maxBodyBytes: count(10_485_760, 1_073_741_824).describe('Maximum response body size after decompression').meta(lower),
  maxArchiveBytes: count(134_217_728, 1_073_741_824)
    .describe('Maximum size of an archive of a repository or a package, before it is unpacked')
    .meta(lower),
  maxRedirects: z.int().min(0).max(50).default(10).describe('Maximum number of redirects to follow').meta(lower),
  allowCidrs: z.array(cidr).default([]).describe('Non-public IP ranges that may be fetched; nothing else allows them'),
  allowHosts: z
    .array(z.string().regex(/^[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?$/i, 'not a host name such as docs.corp.example'))
    .default([])
    .describe('Host names that may resolve to non-public IP addresses; the addresses themselves stay blocked'),
  allowPorts: z
    .array(portRange)
    .default([])
    .describe('Ports allowed in addition to 80, 443 and 8000 to 8999, such as 3000 or 21000-21200'),
  secrets: z
    .array(
      z.string().regex(ALLOWED_SECRET, 'not a variable and an origin such as DOCS_TOKEN@https://docs.corp.example'),
    )
    .default([])
    .describe('Environment variables that source headers may use, each with the one origin that receives it'),
  proxyTarget: z
    .enum(['name', 'resolved', 'address'])
    .default('name')
    .describe(
      'What a proxy is given: any name, only names that resolve on this machine too, or the IP address that was checked',
    ),
  signingKeys: z
    .string()
    .min(1)
    .optional()
    .describe('File with the keys that sign requests to sites, from pinakes signing-keys generate')
    .meta({ isPath: true }),
  signatureAgent: z
    .string()
    .regex(/^https:\/\/[a-z0-9.-]{1,253}(:\d{1,5})?$/, 'not an origin such as https://docs.corp.example')
    .optional()
    .describe('The public https origin of a pinakes serve, where sites find the keys that sign requests'),
  userAgent: z
    .string()
    .regex(/^[\x20-\x7e]{1,256}$/, 'must be 1 to 256 printable ASCII characters')
    .default(`pinakes/${PROGRAM_VERSION}`)
    .describe('User-Agent header; add a contact, such as pinakes (+https://www.example.com/contact)')
    .meta({ defaultText: '`pinakes/` and the version' }),
});

const registryUrl = z.url({ protocol: /^https?$/ }).optional();

export const registry = z.strictObject({
  npm: registryUrl
    .describe('Registry of npm packages')
    .meta({ defaultText: 'that of npm, from its own configuration' }),
  pypi: registryUrl.describe(
    'Python index with a simple API in JSON, such as https://pypi.org/simple; without it no package of PyPI is fetched',
  ),
  cargo: registryUrl.describe(
    'Sparse index of crates, such as https://index.crates.io; without it no crate is fetched',
  ),
});

export const catalog = z.strictObject({
  locations: z
    .array(
      z
        .string()
        .regex(
          /^(?:https?:\/\/|\/|[A-Za-z]:[\\/]).+#[0-9a-f]{64}$/,
          'not the URL or the absolute path of a catalogue with its pin, such as https://catalog.example/#9f86…',
        ),
    )
    .max(20)
    .default([])
    .describe(
      'Catalogues to install from, each as LOCATION#PIN; pinakes sync uses them for packages that are not on the disk',
    ),
});

function isCidr(text: string): boolean {
  const [address = '', prefix = '', more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more !== undefined || !/^(0|[1-9]\d{0,2})$/.test(prefix)) return false;
  return Number(prefix) <= (family === 4 ? 32 : 128);
}

// Where a site says under which license its pages are: License lines of robots.txt and Link headers, as Really Simple Licensing (RSL)
// defines them, and the challenge of a server that sends a page only with a license.

import { z } from 'zod';
import { parsePageUrl, type PageUrl } from '../model/page-url.ts';
import { headerLinks } from './link-header.ts';

/** Terms of a site as its profile has them, in the words of the site. */
export interface SiteTerms {
  /** Content-Signal, Content-Usage and License lines of its robots.txt that concern us. */
  readonly usageTerms: readonly string[];
  /** URLs of licenses, of robots.txt first. */
  readonly licenses: readonly string[];
}

/** A hostile site may name many. */
const MAX_LICENSES = 20;
const MAX_URL_CHARS = 2000;

/** The licenses that a response names for its page. */
export function linkedLicenses(linkHeader: string | undefined, page: PageUrl): readonly PageUrl[] {
  if (linkHeader === undefined) return [];
  const named = headerLinks(linkHeader).filter(({ rels }) => rels.includes('license'));
  return [...new Set(named.flatMap(({ target }) => webUrl(target, page) ?? []))].slice(0, MAX_LICENSES);
}

function webUrl(text: string, base?: PageUrl): PageUrl | null {
  const url = text.length > MAX_URL_CHARS ? null : parsePageUrl(text, base);
  return url?.startsWith('http') === true ? url : null;
}

/** `WWW-Authenticate: License …` of the Open License Protocol: where the license is described, null if it does not say. */
export interface LicenseChallenge {
  readonly license: PageUrl | null;
}

const MAX_CHALLENGE_CHARS = 8192;

/** Null if the response is not such a challenge. Its Link header is the license; `error_uri` explains the refusal. */
export function licenseChallenge(
  { challenge, link }: { readonly challenge: string; readonly link: string },
  page: PageUrl,
): LicenseChallenge | null {
  const text = challenge.slice(0, MAX_CHALLENGE_CHARS);
  if (!/(?:^|,)\s?License(?:[\s,]|$)/i.test(text)) return null;
  const [linked] = linkedLicenses(link, page);
  const explained = /\berror_uri="([^"]*)"/i.exec(text)?.[1];
  return { license: linked ?? (explained === undefined ? null : webUrl(explained, page)) };
}

const StoredTerms = z.object({
  usageTerms: z.array(z.string()).default([]),
  linkedLicenses: z.array(z.string()).default([]),
});

export function storedTerms(profile: unknown): SiteTerms {
  const stored = StoredTerms.safeParse(profile).data ?? { usageTerms: [], linkedLicenses: [] };
  const ofRobots = stored.usageTerms.flatMap((term) => {
    // RSL wants absolute URLs here.
    return term.startsWith(LICENSE_LINE) ? (webUrl(term.slice(LICENSE_LINE.length).trim()) ?? []) : [];
  });
  return {
    usageTerms: stored.usageTerms,
    licenses: [...new Set([...ofRobots, ...stored.linkedLicenses])].slice(0, MAX_LICENSES),
  };
}

const LICENSE_LINE = 'License: ';

type StoredProfile = Readonly<Record<string, unknown>>;

/** A profile with further licenses; the newest ones stay. */
export function withLicenses<Profile extends StoredProfile>(
  profile: Profile,
  found: readonly string[],
): Profile & { linkedLicenses: string[] } {
  const known = StoredTerms.safeParse(profile).data?.linkedLicenses ?? [];
  return {
    ...profile,
    linkedLicenses: [...new Set([...known.filter((url) => !found.includes(url)), ...found])].slice(-MAX_LICENSES),
  };
}

/** The profile of a source that came with a bundle. */
export function withTerms<Profile extends StoredProfile>(
  profile: Profile,
  { usageTerms, licenses }: SiteTerms,
): Profile & z.output<typeof StoredTerms> {
  return { ...profile, usageTerms: [...usageTerms], linkedLicenses: [...licenses] };
}

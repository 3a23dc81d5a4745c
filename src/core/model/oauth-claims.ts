// Maps the claims of an issuer's access token to a role, from its scopes or roles, and to rights to sources, from its groups. Issuers differ
// in the names of the claims, so the operator configures the claim with the groups.

import { z } from 'zod';
import { SourcePattern, type SourceRights } from './source-rights.ts';

export interface ClaimRules {
  readonly readScope: string;
  readonly adminScope: string;
  /** The claim with the groups; dots lead into objects, as in `realm_access.roles`. */
  readonly groupsClaim: string;
  /** `GROUP=PATTERN`. If empty, every subject has the right to all sources. */
  readonly sources: readonly string[];
}

export interface ClaimedRights {
  readonly subject: string;
  /** Null if the token has neither scope. */
  readonly role: 'read' | 'admin' | null;
  readonly sources: SourceRights;
}

/** A group may contain `=`; a pattern may not. */
export const GroupSources = z.string().refine(isGroupSources, 'must be GROUP=PATTERN, such as frontend=npm:*');

function isGroupSources(text: string): boolean {
  const [group, pattern] = splitRule(text);
  return group !== '' && SourcePattern.safeParse(pattern).success;
}

function splitRule(text: string): readonly [group: string, pattern: string] {
  const at = text.lastIndexOf('=');
  return at === -1 ? ['', ''] : [text.slice(0, at), text.slice(at + 1)];
}

type Claims = Readonly<Record<string, unknown>>;

/** The limit of OpenID Connect. A longer one is not cut: two subjects would share a name, in limits and in the audit log. */
const MAX_SUBJECT_CHARS = 255;

/** Text that a database can store and a terminal can show as it is. */
function isSubject(value: unknown): value is string {
  const isText = typeof value === 'string' && value !== '' && value.length <= MAX_SUBJECT_CHARS;
  return isText && value.isWellFormed() && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value);
}

/** Null if the token has no usable subject. */
export function rightsOfClaims(claims: Claims, rules: ClaimRules): ClaimedRights | null {
  const subject = claims['sub'];
  if (!isSubject(subject)) return null;
  const granted = new Set(SCOPE_CLAIMS.flatMap((name) => wordsOf(claims[name])));
  const mayRead = granted.has(rules.readScope) ? 'read' : null;
  const role = granted.has(rules.adminScope) ? 'admin' : mayRead;
  return { subject, role, sources: sourcesOf(claims, rules) };
}

/** Keycloak: `scope`. Entra: `scp` for users, `roles` for applications. Okta: `scp` as a list. */
const SCOPE_CLAIMS = ['scope', 'scp', 'roles'];

/** The words of a text or the elements of a list; any other value grants nothing. */
function wordsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.split(' ');
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function sourcesOf(claims: Claims, { groupsClaim, sources }: ClaimRules): SourceRights {
  if (sources.length === 0) return null;
  const groups = new Set(elementsOf(claimAt(claims, groupsClaim)));
  const patterns = sources.map(splitRule).filter(([group]) => groups.has(group));
  return [...new Set(patterns.map(([, pattern]) => pattern))];
}

/** A group may have spaces in its name, so a text is one group. */
function elementsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** A claim of the whole name comes first: some issuers have names that are URLs. */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path.split('.').reduce<unknown>((found, name) => {
    const isObject = typeof found === 'object' && found !== null && Object.hasOwn(found, name);
    return isObject ? (found as Claims)[name] : undefined;
  }, claims);
}

// The metadata of the issuer (OpenID Connect Discovery): where its keys, its sign-in page and its tokens are. Cached.

/** Reads a JSON document of the issuer, through the address guard. Raises if it cannot. */
export type ReadJson = (url: string) => Promise<unknown>;

/** Every URL has the origin of the issuer: the address guard opens for no other. */
export interface IssuerMetadata {
  readonly jwksUrl: string | null;
  readonly authorizationUrl: string | null;
  readonly tokenUrl: string | null;
  /** Whether its responses name it (RFC 9207). */
  readonly namesItself: boolean;
  /** How a client with a secret may authenticate. */
  readonly takesBasic: boolean;
}

/** Raises if the issuer does not answer, or answers as another. */
export type ReadMetadata = () => Promise<IssuerMetadata>;

const MAX_AGE_MS = 600_000;
/** The minimum time between two attempts while the issuer is down, however many callers ask. */
const RETRY_MS = 5000;

export function createReadMetadata(issuer: string, readJson: ReadJson, now: () => number): ReadMetadata {
  let known: { readonly reading: Promise<IssuerMetadata>; until: number } | null = null;
  return () => {
    if (known !== null && now() < known.until) return known.reading;
    const entry = { reading: discover(issuer, readJson), until: now() + MAX_AGE_MS };
    entry.reading.catch(() => (entry.until = now() + RETRY_MS));
    known = entry;
    return entry.reading;
  };
}

async function discover(issuer: string, readJson: ReadJson): Promise<IssuerMetadata> {
  const path = '/.well-known/openid-configuration';
  const found = ((await readJson(issuer.replace(/\/$/, '') + path)) ?? {}) as Readonly<Record<string, unknown>>;
  if (found['issuer'] !== issuer) throw new Error('the metadata is not that of the issuer');
  const { origin } = new URL(issuer);
  const ownUrl = (name: string): string | null => {
    const value = found[name];
    const url = typeof value === 'string' ? URL.parse(value) : null;
    return url?.origin === origin ? url.href : null;
  };
  const methods = found['token_endpoint_auth_methods_supported'];
  return {
    jwksUrl: ownUrl('jwks_uri'),
    authorizationUrl: ownUrl('authorization_endpoint'),
    tokenUrl: ownUrl('token_endpoint'),
    namesItself: found['authorization_response_iss_parameter_supported'] === true,
    takesBasic: !Array.isArray(methods) || methods.includes('client_secret_basic'),
  };
}

// Explains the reason of a failed, missing or excluded URL to a user, and what to do about it.

interface Advice {
  readonly reason: RegExp;
  readonly text: (url: URL) => string;
}

const ADVICE: readonly Advice[] = [
  { reason: /\bdns-no-address\b/, text: ({ hostname }) => `there is no host ${hostname}. Check the spelling` },
  {
    reason: /\bdns-(?:timeout|error)\b/,
    text: ({ hostname }) => `the name ${hostname} cannot be resolved. Check the network connection, then try again`,
  },
  {
    reason: /\bconnection-refused\b/,
    text: ({ host }) => `nothing listens at ${host}. Check the host and the port, and that the server is running`,
  },
  {
    reason: /\bconnect-timeout\b/,
    text: ({ host }) => `${host} cannot be reached. Check the host, and that a firewall lets this machine connect`,
  },
  {
    reason: /\bbot-check\b/,
    text: ({ host }) =>
      `${host} responds with a bot check, which a crawler cannot pass. Ask its owner to admit the User-Agent that fetch.userAgent sets, or add a copy of the documentation`,
  },
  {
    reason: /\blicense-required\b/,
    text: ({ href }) =>
      `${href} requires a license. Obtain one from the owner of the site, and pass it as a header: --headers 'Authorization: License {DOCS_LICENSE}', with the license in the variable DOCS_LICENSE`,
  },
  {
    reason: /\bstatus[- ]401\b/,
    text: ({ href }) =>
      `${href} requires a login. Pass it as a header: --headers 'Authorization: Bearer {DOCS_TOKEN}', with the token in the variable DOCS_TOKEN`,
  },
  {
    reason: /\bstatus[- ]403\b/,
    text: ({ href }) =>
      `${href} refuses access. If it opens in a browser after a login, pass the login as a header with --headers; otherwise its owner blocks crawlers`,
  },
  { reason: /^status (?:404|410)\b/, text: ({ href }) => `${href} does not exist. Check the URL` },
];

/** Null if the reason says enough. A sentence without its first capital and its full stop. */
export function failureAdvice(url: string, reason: string): string | null {
  const parsed = URL.parse(url);
  return parsed === null ? null : (ADVICE.find((advice) => advice.reason.test(reason))?.text(parsed) ?? null);
}

// Every failure the product can report, in one table. docs/reference/errors.md is generated from it.

interface Entry {
  readonly http: number;
  /** Whether the same request may succeed later. */
  readonly retry: boolean;
  readonly says: string;
  /** What the reader can do about it; shown after the sentence. */
  readonly next?: string;
}

const catalogue = {
  'archive.bomb': { http: 413, retry: false, says: 'The archive {name} unpacks to more than is allowed' },
  'backup.elsewhere': {
    http: 501,
    retry: false,
    says: 'A library on PostgreSQL is kept by the tools of PostgreSQL',
    next: 'Use pg_dump, and pg_restore to bring it back',
  },
  'backup.unusable': {
    http: 422,
    retry: false,
    says: '{file} cannot be restored: {why}',
    next: 'Give a file that pinakes backup wrote',
  },
  'bundle.broken': {
    http: 422,
    retry: false,
    says: 'The bundle {name} cannot be imported: {why}',
    next: 'Export it again',
  },
  'chunk.grammar-missing': {
    http: 501,
    retry: false,
    says: 'No grammar for {language} is installed',
    next: 'npm install {package}',
  },
  'config.invalid': {
    http: 400,
    retry: false,
    says: '{setting} is not usable: {why}',
    next: 'pinakes config print shows every setting and where its value comes from',
  },
  'config.unknown': {
    http: 400,
    retry: false,
    says: 'There is no setting {name}',
    next: 'Did you mean {near}? pinakes config print lists all settings',
  },
  'database.broken': {
    http: 500,
    retry: false,
    says: 'The disk of the database failed: {why}',
    next: 'Check the disk and start again; what was settled before is kept',
  },
  'database.full': {
    http: 507,
    retry: true,
    says: 'The database has no room: {why}',
    next: 'Free space on its volume; work goes on by itself',
  },
  'database.newer': {
    http: 500,
    retry: false,
    says: 'The database has schema {found}, this program knows {known}',
    next: 'Install a newer pinakes, or use another data directory',
  },
  'database.owned': {
    http: 409,
    retry: false,
    says: 'The data directory {directory} is in use by process {pid} ({command}, since {since})',
    next: 'Stop that process, or choose another directory with PINAKES_DATA_DIR',
  },
  'database.readonly': {
    http: 503,
    retry: true,
    says: 'The database cannot be written: {why}',
    next: 'Check the rights of its folder and how its volume is mounted',
  },
  'database.unreachable': {
    http: 503,
    retry: true,
    says: 'The database does not answer: {why}',
    next: 'Check PINAKES_DATABASE_URL and that the server runs',
  },
  'database.unsupported': {
    http: 500,
    retry: false,
    says: 'This build of {engine} cannot be used: {why}',
    next: '{advice}',
  },
  'embed.dimensions': {
    http: 502,
    retry: false,
    says: '{model} gives vectors of {found} numbers, not of {wanted}',
    next: 'Set PINAKES_EMBED_DIMENSIONS to what the model gives, or unset it',
  },
  'embed.model-broken': {
    http: 500,
    retry: false,
    says: 'The model {model} cannot be used: {why}',
    next: 'pinakes model pull {model} brings it again',
  },
  'embed.model-missing': {
    http: 404,
    retry: false,
    says: 'There is no model {model} on this machine',
    next: 'pinakes model pull {model} brings it; nothing else does',
  },
  'embed.model-unpinned': {
    http: 400,
    retry: false,
    says: 'No hash is known for the model {model}, so nobody can tell whether its files are the right ones',
    next: 'Give the SHA-256 of the ONNX file that you trust with --sha256',
  },
  'embed.packages-missing': {
    http: 501,
    retry: false,
    says: 'Local models need packages that are not installed',
    next: 'ONNXRUNTIME_NODE_INSTALL=skip npm install {packages}',
  },
  'embed.refused': {
    http: 502,
    retry: false,
    says: 'The embedding server {server} refused the question: {why}',
    next: 'Check PINAKES_EMBED_URL, PINAKES_EMBED_MODEL and the key that PINAKES_EMBED_KEY_ENV names',
  },
  'embed.throttled': { http: 503, retry: true, says: 'The embedding server {server} asked us to slow down' },
  'embed.timeout': { http: 504, retry: true, says: 'No answer from the embedding server {server}: {why}' },
  'embed.unavailable': { http: 503, retry: true, says: 'No vectors from {model}: {why}' },
  'embed.unsupported': {
    http: 501,
    retry: false,
    says: 'This PostgreSQL has no pgvector, so search stays with words',
    next: 'Install pgvector 0.8 or newer on the server, then let an administrator run: create extension vector',
  },
  'export.changed': {
    http: 409,
    retry: true,
    says: 'The source {source} changed while it was exported',
    next: 'Export it again when its run has ended',
  },
  'export.refused': {
    http: 403,
    retry: false,
    says: '{path} is not written: {why}',
    next: 'Choose another file with --out',
  },
  'export.too-large': {
    http: 413,
    retry: false,
    says: 'The source has more chunks than a zip archive can hold, which is 65534 files and 4 GB',
    next: 'Split it into several sources',
  },
  'extract.malformed': { http: 422, retry: false, says: 'The page body is not valid {as}: {url}' },
  'extract.unsupported': { http: 415, retry: false, says: 'Nothing here reads {mediaType}: {url}' },
  'fetch.blocked-address': {
    http: 403,
    retry: false,
    says: '{url} may not be asked: {rule}',
    next: 'To open a range of addresses, a name or a port, set PINAKES_FETCH_ALLOW_CIDRS, PINAKES_FETCH_ALLOW_HOSTS or PINAKES_FETCH_ALLOW_PORTS',
  },
  'fetch.exhausted': {
    http: 503,
    retry: true,
    says: 'This machine has no room for another connection: {why}',
    next: 'Raise the limit of open files (ulimit -n), or lower PINAKES_CRAWL_CONCURRENCY',
  },
  'fetch.failed': { http: 502, retry: true, says: 'No usable answer from {url}: {why}' },
  'fetch.incomplete': { http: 502, retry: true, says: 'The answer of {url} broke off' },
  'fetch.malformed': { http: 502, retry: false, says: '{url} does not answer in valid HTTP: {why}' },
  'fetch.status': { http: 502, retry: false, says: '{url} answered {status}' },
  'fetch.throttled': { http: 503, retry: true, says: '{url} asked us to slow down' },
  'fetch.timeout': { http: 504, retry: true, says: 'No answer from {url} within {ms} ms' },
  'fetch.tls': { http: 502, retry: false, says: 'The certificate of {url} cannot be trusted: {why}' },
  'fetch.too-large': { http: 413, retry: false, says: '{url} is larger than {limit} bytes' },
  'fetch.unsupported-scheme': { http: 400, retry: false, says: '{url} is not an http or https address' },
  'input.invalid': { http: 400, retry: false, says: '{why}' },
  internal: {
    http: 500,
    retry: false,
    says: 'Something went wrong inside: {why}',
    next: 'Please report it with the log line that carries this sentence',
  },
  'local.forbidden': {
    http: 403,
    retry: false,
    says: 'Local files cannot be read from here',
    next: 'Use the command line on the machine that has them',
  },
  'local.refused': {
    http: 403,
    retry: false,
    says: '{path} may not be read: {why}',
    next: 'An operator may open a folder with PINAKES_LOCAL_ROOTS',
  },
  'local.unreadable': { http: 404, retry: false, says: '{path} cannot be read: {why}' },
  'http.exposed': {
    http: 500,
    retry: false,
    says: 'The server does not listen on {host}, which others can reach, without a token',
    next: 'Create one: pinakes token create NAME',
  },
  'http.forbidden': { http: 403, retry: false, says: '{why}' },
  'http.limited': { http: 429, retry: true, says: 'Too many requests', next: 'Wait {seconds} s' },
  'http.not-found': { http: 404, retry: false, says: 'There is nothing at {path}', next: 'See /api/openapi.json' },
  'http.overloaded': {
    http: 503,
    retry: true,
    says: 'The server has as much to do as it can carry',
    next: 'Wait {seconds} s',
  },
  'http.port-taken': {
    http: 500,
    retry: false,
    says: 'Port {port} of {host} is in use',
    next: 'Choose another one with PINAKES_SERVE_PORT',
  },
  'http.too-large': { http: 413, retry: false, says: 'The request is larger than {limit} bytes' },
  'http.unauthorized': {
    http: 401,
    retry: false,
    says: 'A valid token is needed',
    next: 'Send Authorization: Bearer TOKEN',
  },
  'http.unsupported-body': { http: 415, retry: false, says: 'The body must be application/json' },
  'owner.differs': {
    http: 409,
    retry: true,
    says: 'Process {pid} works on this data directory with pinakes {version} and is busy',
    next: 'Wait until its runs have ended, or end that process: nothing is lost',
  },
  'owner.silent': {
    http: 503,
    retry: true,
    says: 'No process took charge of the data directory {directory}: {why}',
    next: 'The file {log} says more; PINAKES_OWNER_MODE=in-process works without such a process',
  },
  'parse.busy': { http: 503, retry: true, says: '{waiting} pages wait to be read already' },
  'parse.memory': { http: 422, retry: false, says: 'Reading {url} needed more memory than allowed and was stopped' },
  'parse.timeout': { http: 422, retry: false, says: 'Reading {url} took longer than {ms} ms and was stopped' },
  'pattern.invalid': { http: 400, retry: false, says: 'The pattern {pattern} cannot be used: {why}' },
  'run.state': {
    http: 409,
    retry: false,
    says: 'Run {run} is {state}, so it cannot {wish}',
    next: 'pinakes status shows the runs',
  },
  'run.unknown': { http: 404, retry: false, says: 'There is no run {run}', next: 'pinakes status lists the runs' },
  'page.unknown': {
    http: 404,
    retry: false,
    says: 'There is no page or passage {page} in the library',
    next: 'pinakes outline shows the pages of a source',
  },
  'section.unknown': {
    http: 404,
    retry: false,
    says: '{url} has no section {section}; it has: {known}',
    next: 'pinakes read without a section shows the page',
  },
  'server.not-offered': {
    http: 501,
    retry: false,
    says: '{action} is not offered by a server',
    next: 'Use the command on the machine of the library',
  },
  'server.refused': { http: 502, retry: false, says: 'The server {server} says: {message}', next: '{advice}' },
  'server.unreachable': {
    http: 502,
    retry: true,
    says: 'No Pinakes server answers at {server}: {why}',
    next: 'Check the address, and that pinakes serve runs there',
  },
  'setup.unreadable': {
    http: 422,
    retry: false,
    says: 'The file {file} is not written in a form that can be changed safely',
    next: 'Add the entry by hand: pinakes mcp --help shows it',
  },
  'source.busy': {
    http: 409,
    retry: true,
    says: 'The source {source} already has a run under way ({run})',
    next: 'pinakes status shows it',
  },
  'source.exists': {
    http: 409,
    retry: false,
    says: 'There is a source {source} already',
    next: 'Choose another name with --name',
  },
  'preset.unknown': {
    http: 400,
    retry: false,
    says: 'There is no preset {preset}',
    next: 'Use one of: {known}',
  },
  'source.unknown': {
    http: 404,
    retry: false,
    says: 'There is no source {source}',
    next: 'pinakes list shows all sources',
  },
  'token.exists': { http: 409, retry: false, says: 'There is a token {name} already', next: 'Choose another name' },
  'token.unknown': { http: 404, retry: false, says: 'There is no token {name}', next: 'pinakes token list shows all' },
  'url.invalid': {
    http: 400,
    retry: false,
    says: '{url} is not an absolute http or https URL',
    next: 'Write it with its beginning, as in https://docs.example.dev',
  },
  'version.unknown': {
    http: 404,
    retry: false,
    says: 'No version {version} is known; there is: {known}',
    next: 'pinakes list shows all sources with their versions',
  },
} as const satisfies Record<string, Entry>;

export type ErrorCode = keyof typeof catalogue;
export type ErrorDetails = Readonly<Record<string, string | number>>;

export class PinakesError extends Error {
  override readonly name = 'PinakesError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails, cause?: unknown) {
    super(fill(catalogue[code].says, details), { cause });
    this.code = code;
    this.details = details;
  }

  get httpStatus(): number {
    return catalogue[this.code].http;
  }

  get retryable(): boolean {
    return catalogue[this.code].retry;
  }

  get nextStep(): string | null {
    const entry: Entry = catalogue[this.code];
    return entry.next === undefined ? null : fill(entry.next, this.details);
  }
}

export function pinakesError(code: ErrorCode, details: ErrorDetails, cause?: unknown): PinakesError {
  return new PinakesError(code, details, cause);
}

/** For the reference page and the doors' schemas. */
export function errorCatalogue(): ReadonlyArray<Entry & { readonly code: ErrorCode }> {
  return (Object.keys(catalogue) as ErrorCode[]).map((code) => ({ code, ...catalogue[code] }));
}

function fill(sentence: string, details: ErrorDetails): string {
  return sentence.replace(/\{(\w+)\}/g, (_, key: string) => String(details[key] ?? `{${key}}`));
}

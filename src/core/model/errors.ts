// The error catalogue: every error the product can report, with its message and next step. docs/reference/errors.md is
// generated from it.

interface ErrorEntry {
  readonly http: number;
  /** Whether the same request may succeed later. */
  readonly retry: boolean;
  readonly message: string;
  /** What the user can do about it; shown after the message. */
  readonly nextStep?: string;
}

const catalog = {
  'archive.bomb': { http: 413, retry: false, message: 'The archive {name} expands to more than the allowed size' },
  'backup.unsupported': {
    http: 501,
    retry: false,
    message: 'pinakes backup supports SQLite only',
    nextStep: 'Use pg_dump and pg_restore',
  },
  'backup.unusable': {
    http: 422,
    retry: false,
    message: 'Cannot restore {file}: {why}',
    nextStep: 'Use a file written by pinakes backup',
  },
  'bundle.broken': {
    http: 422,
    retry: false,
    message: 'Cannot import the bundle {name}: {why}',
    nextStep: 'Export it again',
  },
  'chunk.grammar-missing': {
    http: 501,
    retry: false,
    message: 'No grammar is installed for {language}',
    nextStep: 'Run: npm install {package}',
  },
  'config.folder': {
    http: 400,
    retry: false,
    message: '{setting} cannot be set in {file}: {why}',
    nextStep: 'Set it in {userFile}, or, if you trust the file, name it: PINAKES_CONFIG={file}',
  },
  'config.invalid': {
    http: 400,
    retry: false,
    message: '{setting} is invalid: {why}',
    nextStep: 'Run pinakes config print to see every setting and where its value comes from',
  },
  'config.unknown': {
    http: 400,
    retry: false,
    message: 'Unknown setting {name}',
    nextStep: 'Run pinakes config print to list all settings',
  },
  'database.broken': {
    http: 500,
    retry: false,
    message: 'The disk that holds the database failed: {why}',
    nextStep: 'Check the disk and start again; pages settled before the failure are safe',
  },
  'database.connections': {
    http: 503,
    retry: true,
    message: 'The database accepts no more connections: {why}',
    nextStep: 'Lower PINAKES_DATABASE_POOL_SIZE, raise max_connections of the server, or use PgBouncer',
  },
  'database.damaged': { http: 500, retry: false, message: 'The database is damaged: {why}', nextStep: '{advice}' },
  'database.directory': {
    http: 500,
    retry: false,
    message: 'Cannot use the data directory {directory}: {why}',
    nextStep: 'Choose another directory with PINAKES_DATA_DIR, or correct this one',
  },
  'database.full': {
    http: 507,
    retry: true,
    message: 'Not enough disk space: {why}',
    nextStep: 'Free some space; crawling resumes automatically',
  },
  'database.newer': {
    http: 500,
    retry: false,
    message: 'The database has schema version {found}, but this program supports only {known}',
    nextStep: 'Install a newer version of pinakes, or use another data directory',
  },
  'database.owned': {
    http: 409,
    retry: false,
    message: 'The data directory {directory} is in use by process {pid} ({command}, since {since})',
    nextStep: 'Stop that process, or choose another directory with PINAKES_DATA_DIR',
  },
  'database.readonly': {
    http: 503,
    retry: true,
    message: 'Cannot write to the database: {why}',
    nextStep: 'Check the permissions of its folder and how its volume is mounted',
  },
  'database.rejected': { http: 500, retry: false, message: 'The database rejected a value: {why}' },
  'database.timeout': {
    http: 504,
    retry: true,
    message: 'The database took too long: {why}',
    nextStep: 'Raise PINAKES_DATABASE_TIMEOUT_MS, and see which statements are slow in the log of the server',
  },
  'database.unreachable': {
    http: 503,
    retry: true,
    message: 'Cannot reach the database: {why}',
    nextStep: 'Check PINAKES_DATABASE_URL and that the server is running',
  },
  'database.unsupported': {
    http: 500,
    retry: false,
    message: '{what} is not supported: {why}',
    nextStep: '{advice}',
  },
  'embed.dimensions': {
    http: 502,
    retry: false,
    message: '{model} returns vectors with {found} dimensions instead of {expected}',
    nextStep: 'Set PINAKES_EMBED_DIMENSIONS to {found}, or unset it',
  },
  'embed.model-broken': {
    http: 500,
    retry: false,
    message: 'Cannot load the model {model}: {why}',
    nextStep: 'Run: pinakes model pull {model}',
  },
  'embed.model-missing': {
    http: 404,
    retry: false,
    message: 'The model {model} is not installed',
    nextStep: 'Run: pinakes model pull {model}',
  },
  'embed.model-unpinned': {
    http: 400,
    retry: false,
    message: 'No SHA-256 is known for the model {model}, so its files cannot be verified',
    nextStep: 'Pass the SHA-256 of the ONNX file that you trust with --sha256',
  },
  'embed.packages-missing': {
    http: 501,
    retry: false,
    message: 'Local models need packages that are not installed',
    nextStep: 'Run: ONNXRUNTIME_NODE_INSTALL=skip npm install {packages}',
  },
  'embed.refused': {
    http: 502,
    retry: false,
    message: 'The embedding server {server} rejected the request: {why}',
    nextStep: 'Check PINAKES_EMBED_URL, PINAKES_EMBED_MODEL and the key that PINAKES_EMBED_KEY_ENV names',
  },
  'embed.throttled': { http: 503, retry: true, message: 'The embedding server {server} is rate limiting requests' },
  'embed.timeout': { http: 504, retry: true, message: 'No response from the embedding server {server}: {why}' },
  'embed.unavailable': { http: 503, retry: true, message: 'Cannot get embeddings from {model}: {why}' },
  'embed.unsupported': {
    http: 501,
    retry: false,
    message: 'This PostgreSQL server has no pgvector extension, so only lexical search is available',
    nextStep: 'Install pgvector 0.8 or newer on the server, then have an administrator run: create extension vector',
  },
  'export.changed': {
    http: 409,
    retry: true,
    message: 'The source {source} changed during the export',
    nextStep: 'Export it again after its run has ended',
  },
  'export.refused': {
    http: 403,
    retry: false,
    message: 'Refused to write {path}: {why}',
    nextStep: 'Choose another file',
  },
  'export.too-large': {
    http: 413,
    retry: false,
    message: 'The export would have more than {limit} files, more than an import reads',
    nextStep: 'Split it into several sources',
  },
  'extract.malformed': { http: 422, retry: false, message: 'Invalid {as}: {url}' },
  'extract.unsupported': { http: 415, retry: false, message: 'Unsupported content type {mediaType}: {url}' },
  'fetch.blocked-address': {
    http: 403,
    retry: false,
    message: 'Refused to connect to {url}: {rule}',
    nextStep:
      'To allow an address range, a host or a port, set PINAKES_FETCH_ALLOW_CIDRS, PINAKES_FETCH_ALLOW_HOSTS or PINAKES_FETCH_ALLOW_PORTS',
  },
  'fetch.exhausted': {
    http: 503,
    retry: true,
    message: 'This machine cannot open another connection: {why}',
    nextStep: 'Raise the open file limit (ulimit -n), or lower PINAKES_CRAWL_CONCURRENCY',
  },
  'fetch.failed': { http: 502, retry: true, message: 'Request to {url} failed: {why}' },
  'fetch.incomplete': { http: 502, retry: true, message: 'The response from {url} was cut short' },
  'fetch.malformed': { http: 502, retry: false, message: 'Invalid HTTP response from {url}: {why}' },
  'fetch.status': { http: 502, retry: false, message: '{url} responded with status {status}' },
  'fetch.throttled': {
    http: 503,
    retry: true,
    message: '{url} is rate limiting requests',
    nextStep: 'Fetch what failed later with pinakes recrawl --mode retry',
  },
  'fetch.timeout': { http: 504, retry: true, message: 'No response from {url} within {ms} ms' },
  'fetch.tls': { http: 502, retry: false, message: 'Cannot verify the TLS certificate of {url}: {why}' },
  'fetch.too-large': { http: 413, retry: false, message: 'The response from {url} is larger than {limit} bytes' },
  'fetch.unsupported-scheme': { http: 400, retry: false, message: '{url} is not an http or https URL' },
  'input.invalid': { http: 400, retry: false, message: '{why}' },
  internal: {
    http: 500,
    retry: false,
    message: 'Internal error: {why}',
    nextStep: 'Please report it; PINAKES_LOG_LEVEL=debug shows where it happened',
  },
  'files.forbidden': {
    http: 403,
    retry: false,
    message: 'Local files cannot be read through this interface',
    nextStep: 'Use the command line on the machine that has them',
  },
  'files.refused': {
    http: 403,
    retry: false,
    message: 'Refused to read {path}: {why}',
    nextStep: 'An operator can allow a folder with PINAKES_FILES_ROOTS',
  },
  'files.unusable': { http: 500, retry: false, message: 'Cannot use {path}: {why}' },
  'files.unreadable': { http: 404, retry: false, message: 'Cannot read {path}: {why}' },
  'http.exposed': {
    http: 500,
    retry: false,
    message: 'Refusing to listen on {host} without an access token, because other machines can reach it',
    nextStep: 'Run: pinakes token create NAME',
  },
  'http.exposed-name': {
    http: 500,
    retry: false,
    message:
      'Refusing to serve {name}, which is in serve.allowedHosts, without an access token, because others reach the server by that name',
    nextStep: 'Run: pinakes token create NAME',
  },
  'http.forbidden': { http: 403, retry: false, message: '{why}' },
  'http.forwarded': {
    http: 403,
    retry: false,
    message: 'The request came through a proxy, and this server has no access token, so anyone could be behind it',
    nextStep: 'Run on the server: pinakes token create NAME',
  },
  'http.limited': { http: 429, retry: true, message: 'Too many requests', nextStep: 'Try again in {seconds} s' },
  'http.not-found': { http: 404, retry: false, message: 'Not found: {path}', nextStep: 'See /api/openapi.json' },
  'http.overloaded': {
    http: 503,
    retry: true,
    message: 'The server is overloaded',
    nextStep: 'Try again in {seconds} s',
  },
  'http.port-taken': {
    http: 500,
    retry: false,
    message: 'Port {port} on {host} is already in use',
    nextStep: 'Choose another port with PINAKES_SERVE_PORT',
  },
  'http.too-large': { http: 413, retry: false, message: 'The request body is larger than {limit} bytes' },
  'http.unauthorized': {
    http: 401,
    retry: false,
    message: 'A valid access token is required',
    nextStep: 'Send one as a bearer token in the Authorization header',
  },
  'http.unsupported-body': { http: 415, retry: false, message: 'The request body must be application/json' },
  'owner.differs': {
    http: 409,
    retry: true,
    message: 'Process {pid} runs pinakes {version} on this data directory and is busy',
    nextStep: 'Wait until its runs have ended, or stop that process: nothing is lost',
  },
  'owner.unresponsive': {
    http: 503,
    retry: true,
    message: 'No background process started for the data directory {directory}: {why}',
    nextStep: 'See the log file {log}, or set PINAKES_OWNER_MODE=in-process to work without a background process',
  },
  'owner.untrusted': {
    http: 403,
    retry: false,
    message: '{path} belongs to another user, who could receive what commands send to the owner of the data directory',
    nextStep: 'Remove it, or choose a data directory of your own with PINAKES_DATA_DIR',
  },
  'parse.busy': { http: 503, retry: true, message: '{waiting} pages are already waiting to be parsed' },
  'parse.memory': { http: 422, retry: false, message: 'Parsing {url} exceeded the memory limit and was stopped' },
  'parse.timeout': { http: 422, retry: false, message: 'Parsing {url} took longer than {ms} ms and was stopped' },
  'pattern.invalid': { http: 400, retry: false, message: 'Invalid pattern {pattern}: {why}' },
  'run.state': {
    http: 409,
    retry: false,
    message: 'Cannot {command} run {run}: it is {state}',
    nextStep: 'Run pinakes status to see all runs',
  },
  'run.unknown': {
    http: 404,
    retry: false,
    message: 'There is no run {run}',
    nextStep: 'Run pinakes status to list the runs',
  },
  'page.unknown': {
    http: 404,
    retry: false,
    message: 'There is no page or passage {page} in the library',
    nextStep: 'Run pinakes outline to list the pages of a source',
  },
  'section.unknown': {
    http: 404,
    retry: false,
    message: '{url} has no section {section}; it has: {known}',
    nextStep: 'Run pinakes read without a section to see the page',
  },
  'server.unsupported': {
    http: 501,
    retry: false,
    message: '{action} is not available on a server',
    nextStep: 'Run the command on the machine that has the library',
  },
  'server.refused': {
    http: 502,
    retry: false,
    message: 'The server {server} returned an error: {message}',
    nextStep: '{advice}',
  },
  'server.unauthorized': {
    http: 502,
    retry: false,
    message: 'The server {server} {why}',
    nextStep: 'Run: export PINAKES_TOKEN=TOKEN, with a token that `pinakes token create NAME` printed on the server',
  },
  'server.unreachable': {
    http: 502,
    retry: true,
    message: 'Cannot reach a Pinakes server at {server}: {why}',
    nextStep: 'Check the URL, and that pinakes serve is running there',
  },
  'setup.unreadable': {
    http: 422,
    retry: false,
    message: 'Cannot edit {file}: line {line}: {why}',
    nextStep: 'Correct the file, or add the entry by hand: pinakes mcp --help shows it',
  },
  'source.busy': {
    http: 409,
    retry: true,
    message: 'The source {source} already has a run in progress ({run})',
    nextStep: 'Run pinakes status {run} to see it, or pinakes stop {run} to stop it',
  },
  'source.remote': {
    http: 409,
    retry: false,
    message: 'The files of the source {source} are on the machine {machine}',
    nextStep: 'Run the command there, or set PINAKES_FILES_MACHINE={machine} where the same folder is mounted',
  },
  'source.exists': {
    http: 409,
    retry: false,
    message: 'The source {source} already exists',
    nextStep: 'Crawl it again with pinakes recrawl {source}, or choose another name with --name',
  },
  'source.empty': {
    http: 409,
    retry: false,
    message: 'The source {source} already exists and has no pages: its last run ended as {state}',
    nextStep: 'Try again with pinakes recrawl {source}, or remove it with pinakes remove {source}',
  },
  'preset.unknown': { http: 400, retry: false, message: 'Unknown preset {preset}', nextStep: 'Use one of: {known}' },
  'source.unknown': {
    http: 404,
    retry: false,
    message: 'There is no source {source}',
    nextStep: 'Run pinakes list to see all sources',
  },
  'token.exists': {
    http: 409,
    retry: false,
    message: 'The token {name} already exists',
    nextStep: 'Choose another name',
  },
  'token.unknown': {
    http: 404,
    retry: false,
    message: 'There is no token {name}',
    nextStep: 'Run pinakes token list to see all tokens',
  },
  'url.invalid': {
    http: 400,
    retry: false,
    message: '{url} is not an absolute http or https URL',
    nextStep: 'Include the scheme, as in {example}',
  },
  'version.unknown': {
    http: 404,
    retry: false,
    message: 'There is no version {version}; available: {known}',
    nextStep: 'Run pinakes list to see all sources with their versions',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof catalog;
export type ErrorDetails = Readonly<Record<string, string | number>>;

export class PinakesError extends Error {
  override readonly name = 'PinakesError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails, cause?: unknown) {
    super(fill(catalog[code].message, details), { cause });
    this.code = code;
    this.details = details;
  }

  get httpStatus(): number {
    return catalog[this.code].http;
  }

  get retryable(): boolean {
    return catalog[this.code].retry;
  }

  get nextStep(): string | null {
    const entry: ErrorEntry = catalog[this.code];
    return entry.nextStep === undefined ? null : fill(entry.nextStep, this.details);
  }
}

export function pinakesError(code: ErrorCode, details: ErrorDetails, cause?: unknown): PinakesError {
  return new PinakesError(code, details, cause);
}

/** For the reference page and the schemas of the interfaces. */
export function errorCatalog(): ReadonlyArray<ErrorEntry & { readonly code: ErrorCode }> {
  return (Object.keys(catalog) as ErrorCode[]).map((code) => ({ code, ...catalog[code] }));
}

function fill(template: string, details: ErrorDetails): string {
  return template.replace(/\{(\w+)\}/g, (_, key: string) => String(details[key] ?? `{${key}}`));
}

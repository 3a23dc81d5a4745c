// The client of the official MCP SDK, with a provider as the Inspector has it: it registers itself, prints the page to sign in at, and reads
// the address that the issuer returned to.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [, , url] = process.argv;
const kept = {};
const provider = {
  redirectUrl: 'http://127.0.0.1:9/callback',
  clientMetadata: {
    client_name: 'MCP client',
    redirect_uris: ['http://127.0.0.1:9/callback'],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => void (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => void (kept.tokens = tokens),
  redirectToAuthorization(page) {
    kept.page = String(page);
    console.log(`sign in at ${kept.page}`);
  },
  saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
  codeVerifier: () => kept.verifier,
};

const open = () => new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
const first = open();
try {
  await new Client({ name: 'test', version: '1' }).connect(first);
  throw new Error('the server asked for no token');
} catch (error) {
  if (error.constructor.name !== 'UnauthorizedError') throw error;
}
let callback = '';
for await (const data of process.stdin) callback += String(data);
await first.finishAuth(new URL(callback.trim()).searchParams.get('code'));
const client = new Client({ name: 'test', version: '1' });
await client.connect(open());
const { tools } = await client.listTools();
const found = await client.callTool({ name: 'search_docs', arguments: { query: 'pool' } });
const passages = JSON.stringify(found).includes('The pool keeps connections') ? 1 : 0;
console.log(
  JSON.stringify({ tools: tools.length, passages, accessToken: kept.tokens.access_token, requested: kept.page }),
);
process.exit(0);

import { expect, test } from 'vitest';
import { parseNpmConfig, PUBLIC_REGISTRY } from './npm-config.ts';

const text = `
; a comment
registry=https://npm.corp.example/all/
@tea:registry = "https://tea.example/npm"
//npm.corp.example/all/:_authToken=\${NPM_TOKEN}
//tea.example/:_auth=YWRh
`;

test('each scope has its registry, and each registry its credentials', () => {
  const config = parseNpmConfig(text, { NPM_TOKEN: 'secret' });
  expect(config.registryOf('zod')).toBe('https://npm.corp.example/all/');
  expect(config.registryOf('@tea/kettle')).toBe('https://tea.example/npm');
  expect(config.authorizationFor('https://npm.corp.example/all/zod')).toBe('Bearer secret');
  expect(config.authorizationFor('https://npm.corp.example/other/zod')).toBeNull();
  expect(config.authorizationFor('https://tea.example/npm/@tea%2fkettle')).toBe('Basic YWRh');
  expect(config.authorizationFor('https://elsewhere.example/all/zod')).toBeNull();
});

test('a login is sent without TLS only where the operator named the registry so', () => {
  const config = parseNpmConfig(text, { NPM_TOKEN: 'secret' });
  expect(config.authorizationFor('http://npm.corp.example/all/zod')).toBeNull();
  expect(config.authorizationFor('http://tea.example/npm/kettle')).toBeNull();
  expect(config.authorizationFor('ftp://npm.corp.example/all/zod')).toBeNull();
  const local = parseNpmConfig('registry=http://127.0.0.1:4873/\n//127.0.0.1:4873/:_authToken=local', {});
  expect(local.authorizationFor('http://127.0.0.1:4873/zod')).toBe('Bearer local');
  expect(local.authorizationFor('http://127.0.0.1:4874/zod')).toBeNull();
});

test('the environment comes before the file, and the public registry is used without both', () => {
  const env = { npm_config_registry: 'https://mirror.example/' };
  expect(parseNpmConfig('registry=https://other.example/', env).registryOf('zod')).toBe('https://mirror.example/');
  expect(parseNpmConfig('', {}).registryOf('zod')).toBe(PUBLIC_REGISTRY);
});

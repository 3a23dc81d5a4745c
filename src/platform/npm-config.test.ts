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

test('the environment comes before the file, and the public registry is used without both', () => {
  const env = { npm_config_registry: 'https://mirror.example/' };
  expect(parseNpmConfig('registry=https://other.example/', env).registryOf('zod')).toBe('https://mirror.example/');
  expect(parseNpmConfig('', {}).registryOf('zod')).toBe(PUBLIC_REGISTRY);
});

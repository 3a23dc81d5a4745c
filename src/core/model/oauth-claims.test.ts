import { expect, test } from 'vitest';
import { rightsOfClaims, type ClaimRules } from './oauth-claims.ts';

const RULES: ClaimRules = {
  readScope: 'pinakes:read',
  adminScope: 'pinakes:admin',
  groupsClaim: 'groups',
  sources: ['frontend=npm:*', 'frontend=design', '/platform=*', 'a=b=handbook'],
};

test('Keycloak: scopes in a text, groups with a slash or realm roles', () => {
  const claims = { sub: 'u1', scope: 'openid pinakes:read', groups: ['/platform'] };
  expect(rightsOfClaims(claims, RULES)).toEqual({ subject: 'u1', role: 'read', sources: ['*'] });
  const roles = { sub: 'u1', scope: 'pinakes:admin', realm_access: { roles: ['frontend', 'other'] } };
  const rules = { ...RULES, groupsClaim: 'realm_access.roles' };
  expect(rightsOfClaims(roles, rules)).toEqual({ subject: 'u1', role: 'admin', sources: ['npm:*', 'design'] });
});

test('Entra: delegated scopes in scp, roles of an application, groups by their ids', () => {
  const rules = { ...RULES, readScope: 'Docs.Read', adminScope: 'Docs.Admin', sources: ['6f1c-44=handbook'] };
  const user = { sub: 'AAA', oid: 'x', scp: 'Docs.Read', groups: ['6f1c-44'] };
  expect(rightsOfClaims(user, rules)).toEqual({ subject: 'AAA', role: 'read', sources: ['handbook'] });
  expect(rightsOfClaims({ sub: 'app', roles: ['Docs.Admin'] }, rules)).toMatchObject({ role: 'admin', sources: [] });
});

test('Okta: scopes as a list, and a claim whose name is a URL', () => {
  const rules = { ...RULES, groupsClaim: 'https://corp.example/groups' };
  const claims = { sub: 'ada@corp.example', scp: ['pinakes:read'], 'https://corp.example/groups': ['a=b'] };
  expect(rightsOfClaims(claims, rules)).toEqual({ subject: 'ada@corp.example', role: 'read', sources: ['handbook'] });
});

test('nothing is granted by a claim of another form, and no group gives no source', () => {
  expect(rightsOfClaims({ scope: 'pinakes:read' }, RULES)).toBeNull();
  expect(rightsOfClaims({ sub: 7, scope: 'pinakes:read' }, RULES)).toBeNull();
  expect(rightsOfClaims({ sub: 'u', scope: 'pinakes:reader' }, RULES)).toMatchObject({ role: null, sources: [] });
  expect(rightsOfClaims({ sub: 'u', scope: { 'pinakes:admin': true } }, RULES)).toMatchObject({ role: null });
  expect(rightsOfClaims({ sub: 'u', scope: 'pinakes:read', groups: { frontend: 1 } }, RULES)?.sources).toEqual([]);
  expect(rightsOfClaims({ sub: 'u', scope: 'pinakes:read', groups: ['__proto__'] }, RULES)?.sources).toEqual([]);
  expect(rightsOfClaims({ sub: 'u', scope: 'pinakes:read' }, { ...RULES, sources: [] })?.sources).toBeNull();
});

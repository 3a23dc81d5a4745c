import { expect, test } from 'vitest';
import { pageUrl } from '../model/page-url.ts';
import { apiDescriptions } from './api-catalog.ts';

const BASE = pageUrl('https://docs.example.dev/.well-known/api-catalog');

test('the descriptions of the APIs are taken, relative or absolute, each once', () => {
  const linkset = [
    {
      anchor: 'https://docs.example.dev/v1',
      'service-desc': [
        { href: '/v1/openapi.json', type: 'application/vnd.oai.openapi+json' },
        { href: 'https://docs.example.dev/v1/openapi.json' },
        { href: '/v1/schema.xsd', type: 'application/xml' },
      ],
      'service-doc': [{ href: '/v1/', type: 'text/html' }],
    },
    { 'service-desc': [{ href: 'v2.yaml' }, { href: 'javascript:alert(1)' }, { href: 7 }, null] },
  ];
  expect(apiDescriptions(JSON.stringify({ linkset }), BASE)).toEqual([
    'https://docs.example.dev/v1/openapi.json',
    'https://docs.example.dev/.well-known/v2.yaml',
  ]);
});

test('a hostile or unusable catalogue gives nothing, and a long one a limited number', () => {
  for (const text of [
    '',
    '<html>',
    '[]',
    '{"linkset":{}}',
    '{"linkset":[null,[],{"service-desc":"x"}]}',
    '[['.repeat(50_000),
  ])
    expect(apiDescriptions(text, BASE)).toEqual([]);
  const many = Array.from({ length: 500 }, (_, nth) => ({ href: `/api-${nth}.json` }));
  expect(apiDescriptions(JSON.stringify({ linkset: [{ 'service-desc': many }] }), BASE)).toHaveLength(100);
});

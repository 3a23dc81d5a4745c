import { expect, test } from 'vitest';
import { failureAdvice } from './failure-advice.ts';

const START = 'http://docs.example.dev:8080/guide';

test.each([
  ['robots-unreachable: robots.txt cannot be read (dns-no-address)', 'there is no host docs.example.dev. Check'],
  [
    'robots-unreachable: robots.txt cannot be read (connection-refused)',
    'nothing listens at docs.example.dev:8080. Check',
  ],
  ['fetch.status: status-401', `${START} requires a login. Pass it as a header: --headers 'Authorization`],
  ['fetch.status: status-403', `${START} refuses access.`],
  ['fetch.status: bot-check', 'docs.example.dev:8080 responds with a bot check'],
  ['status 404', `${START} does not exist. Check the URL`],
])('%s has a next step (finding T2.7)', (reason, advice) => {
  expect(failureAdvice(START, reason)).toContain(advice);
});

test('a reason that says enough has none', () => {
  expect(failureAdvice(START, 'near-empty: few-words')).toBeNull();
  expect(failureAdvice(START, 'fetch.status: status-500')).toBeNull();
});

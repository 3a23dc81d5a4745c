// Hostile JSON and OpenAPI, and bodies that do not match their declared type.

import { expect } from 'vitest';
import { codeOf, parsedPage, type Expectations, type Outcome } from './expectation.ts';

const text = (outcome: Outcome) => parsedPage(outcome).document.text;

export const dataExpectations: Expectations = {
  'json-deep': { check: (outcome) => expect(codeOf(outcome)).toBe('extract.malformed') },
  'json-proto': {
    check: (outcome) => {
      expect(parsedPage(outcome).document.format).toBe('json');
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
    },
  },
  'json-dup-keys': {
    check: (outcome) => {
      expect(text(outcome)).toBe('{"a":1,"a":2}\n');
      expect(parsedPage(outcome).metadata.notes).toEqual(['json.duplicate-key $.a']);
    },
  },
  'json-big-number': {
    check: (outcome) => {
      expect(text(outcome)).toContain('1e400');
      expect(text(outcome)).toContain('12345678901234567890');
    },
  },
  'openapi-ref-cycle': {
    check: (outcome) => {
      expect(parsedPage(outcome).extractor.name).toBe('openapi');
      expect(parsedPage(outcome).document.outline.map((entry) => entry.text)).toEqual(['t 1', 'Schema A', 'Schema B']);
    },
  },
  'openapi-ref-remote': {
    check: (outcome) => {
      expect(text(outcome)).toContain('Defined elsewhere: `http://169.254.169.254/`');
      expect(text(outcome)).not.toContain('root:');
      expect(parsedPage(outcome).document.links).toEqual([]);
    },
  },
  'openapi-ref-bomb': {
    check: (outcome) => {
      expect(text(outcome)).toContain('`S29x`');
      expect(text(outcome).length).toBeLessThan(4000);
    },
  },
  'pdf-as-html': { check: (outcome) => expect(codeOf(outcome)).toBe('extract.unsupported') },
  'polyglot-gif-html': { check: (outcome) => expect(codeOf(outcome)).toBe('extract.unsupported') },
};

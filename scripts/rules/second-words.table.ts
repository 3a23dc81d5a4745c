// Second words of concepts: each word on the left must not be part of a public name, and the glossary's word says the same.
// A name that a specification fixes, or in which the word has another meaning, is listed with its reason.

export interface SecondWord {
  /** The term of the glossary to use. */
  readonly term: string;
  /** Names that keep the word, each with its reason. */
  readonly except?: Readonly<Record<string, string>>;
}

export const secondWords: Readonly<Record<string, SecondWord>> = {
  gone: { term: 'outcome' },
  poison: { term: 'reason' },
  because: { term: 'reason' },
  why: { term: 'reason' },
  cause: { term: 'reason' },
  pace: { term: 'request slot' },
  pacer: { term: 'request slot' },
  breaker: {
    term: 'host',
    except: { breaker: 'the state of a circuit breaker', 'crawl.circuitBreakerMs': "the field's term" },
  },
  engine: { term: 'index' },
  segments: { term: 'index' },
  history: { term: 'page revision', except: { 'wide-history': 'a kind of backfill; a specification fixes its name' } },
  updating: { term: 'source status' },
  update: { term: 'run' },
  times: { term: 'reason' },
  shape: { term: 'URL filter' },
  origin: { term: 'start URL', except: { origin: 'which file or variable sets a setting' } },
  start: {
    term: 'start URL',
    except: {
      startUrl: 'the start URL itself',
      'crawl.startDelayMs': 'the start of a run',
      start_analysis: 'a specification fixes its route',
      '/analysis/start': 'a specification fixes it',
    },
  },
  token: {
    term: 'access token',
    except: {
      create_token: 'the action creates one',
      delete_token: 'the action deletes one',
      rotate_token: 'the action rotates one',
      token: 'the access token itself',
      'token.exists': 'an error about one',
      'token.unknown': 'an error about one',
    },
  },
  written: { term: 'alias' },
  actor: { term: 'principal' },
};

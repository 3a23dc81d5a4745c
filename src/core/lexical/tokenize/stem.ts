// A light normalisation of English words, the same for texts and queries: plurals, and the endings of verbs. It never
// sees a whole identifier, only words and the parts of names. Without it bench/search/lexical-quality.ts gives less.

const VOWEL = /[aeiouy]/;
/** Words whose ending only looks like that of a verb or a plural. */
const KEPT = new Set([
  'embed',
  'string',
  'during',
  'nothing',
  'something',
  'anything',
  'everything',
  'hundred',
  'series',
]);
const SHORTEST = 4;

export function stem(word: string): string {
  if (word.length < SHORTEST || KEPT.has(word)) return word;
  const last = word.charCodeAt(word.length - 1);
  // Only s, g, d, e, n and r are looked at further: most words end here.
  if (last === 0x73) return word.endsWith('is') ? word : finish(singular(word));
  if (last === 0x67 || last === 0x64) return finish(verb(word));
  if (last === 0x65) return finish(word);
  return last === 0x6e || last === 0x72 ? oneSpelling(word) : word;
}

function singular(word: string): string {
  if (word.endsWith('ss') || word.endsWith('us')) return word;
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word;
  if (/(?:ss|sh|ch|x|zz)es$/.test(word)) return word.slice(0, -2);
  const single = word.slice(0, -1);
  return single.length >= SHORTEST && !KEPT.has(single) ? verb(single) : single;
}

function verb(word: string): string {
  if (word.endsWith('ing')) return bareVerb(word, 3);
  if (word.endsWith('ed') && !word.endsWith('eed')) return bareVerb(word, 2);
  return word;
}

function bareVerb(word: string, ending: number): string {
  const bare = word.slice(0, -ending);
  if (bare.length < 3 || !VOWEL.test(bare)) return word;
  const last = bare.at(-1) ?? '';
  const isDoubled = last === bare.at(-2) && !'lsz'.includes(last);
  return isDoubled ? bare.slice(0, -1) : bare;
}

/** `cache`, `cached` and `caching` meet without their last e. */
function finish(word: string): string {
  return oneSpelling(word.length > SHORTEST && word.endsWith('e') ? word.slice(0, -1) : word);
}

const SHORTEST_SPELT = 6;

/**
 * British and American spellings meet: `optimise`, `optimisation`, `behaviour`, `analyse`, `catalogue`. Words like `promise` are
 * changed as well, in texts and questions alike, and meet no other word by it.
 */
function oneSpelling(word: string): string {
  if (word.length < SHORTEST_SPELT) return word;
  if (word.endsWith('isation')) return `${word.slice(0, -7)}ization`;
  if (word.endsWith('is') || word.endsWith('ys')) return `${word.slice(0, -1)}z`;
  if (word.endsWith('our')) return `${word.slice(0, -2)}r`;
  return word.endsWith('ogu') ? word.slice(0, -1) : word;
}

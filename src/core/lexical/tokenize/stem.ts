// A light English stemmer for plurals and verb endings, shared by texts and queries. It never sees a whole identifier,
// only words and parts of identifiers. Without it bench/search/rank-quality.ts scores lower.

const VOWEL = /[aeiouy]/;
/** Words that only look like a verb form or a plural. */
const EXCEPTIONS = new Set([
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
const MIN_STEM_CHARS = 4;

export function stem(word: string): string {
  if (word.length < MIN_STEM_CHARS || EXCEPTIONS.has(word)) return word;
  const last = word.charCodeAt(word.length - 1);
  // Only words that end in s, g, d, e, n or r are examined further; most words return here.
  if (last === 0x73) return word.endsWith('is') ? word : dropFinalE(toSingular(word));
  if (last === 0x67 || last === 0x64) return dropFinalE(stripVerbEnding(word));
  if (last === 0x65) return dropFinalE(word);
  return last === 0x6e || last === 0x72 ? normalizeSpelling(word) : word;
}

function toSingular(word: string): string {
  if (word.endsWith('ss') || word.endsWith('us')) return word;
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word;
  if (/(?:ss|sh|ch|x|zz)es$/.test(word)) return word.slice(0, -2);
  const single = word.slice(0, -1);
  return single.length >= MIN_STEM_CHARS && !EXCEPTIONS.has(single) ? stripVerbEnding(single) : single;
}

function stripVerbEnding(word: string): string {
  if (word.endsWith('ing')) return stripEnding(word, 3);
  if (word.endsWith('ed') && !word.endsWith('eed')) return stripEnding(word, 2);
  return word;
}

function stripEnding(word: string, ending: number): string {
  const bare = word.slice(0, -ending);
  if (bare.length < 3 || !VOWEL.test(bare)) return word;
  const last = bare.at(-1) ?? '';
  const isDoubled = last === bare.at(-2) && !'lsz'.includes(last);
  return isDoubled ? bare.slice(0, -1) : bare;
}

/** Without its final e, `cache` has the same stem as `cached` and `caching`. */
function dropFinalE(word: string): string {
  return normalizeSpelling(word.length > MIN_STEM_CHARS && word.endsWith('e') ? word.slice(0, -1) : word);
}

const MIN_VARIANT_CHARS = 6;

/**
 * Maps British to American spelling: `optimise`, `optimisation`, `behaviour`, `analyse`, `catalogue`. Words like `promise`
 * change too, in texts and queries alike, but collide with no other word.
 */
function normalizeSpelling(word: string): string {
  if (word.length < MIN_VARIANT_CHARS) return word;
  if (word.endsWith('isation')) return `${word.slice(0, -7)}ization`;
  if (word.endsWith('is') || word.endsWith('ys')) return `${word.slice(0, -1)}z`;
  if (word.endsWith('our')) return `${word.slice(0, -2)}r`;
  return word.endsWith('ogu') ? word.slice(0, -1) : word;
}

// Notes when a text talks to a machine instead of a reader. A note only: the page is indexed, and the text is marked where
// it is served. Documents about prompts trip these rules as well.

/** Names of the rules that a text trips. */
export type Suspicion = 'chat-markup' | 'override-instructions' | 'role-lines';

const RULES: ReadonlyArray<readonly [rule: Suspicion, pattern: RegExp]> = [
  ['chat-markup', /<\/?(?:system|assistant|instructions?)>|<\|(?:im_start|system|assistant)\|>|\[\/?INST\]/i],
  [
    'override-instructions',
    /\b(?:ignore|disregard|forget)\b.{0,20}\b(?:previous|prior|above|earlier|all)\b.{0,20}\b(?:instructions?|prompts?|rules)\b/i,
  ],
  ['role-lines', /^(?:human|assistant|system):\s/im],
];

export function suspicionsOf(text: string): readonly Suspicion[] {
  return RULES.filter(([, pattern]) => pattern.test(text)).map(([rule]) => rule);
}

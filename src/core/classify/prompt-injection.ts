// Detects prompt-injection patterns. Only a flag: the page is indexed, and the text is flagged when it is served. Documents
// about prompts match these patterns too.

/** Name of a matching pattern. */
export type InjectionFlag = 'chat-markup' | 'override-instructions' | 'role-lines';

const RULES: ReadonlyArray<readonly [rule: InjectionFlag, pattern: RegExp]> = [
  ['chat-markup', /<\/?(?:system|assistant|instructions?)>|<\|(?:im_start|system|assistant)\|>|\[\/?INST\]/i],
  [
    'override-instructions',
    /\b(?:ignore|disregard|forget)\b.{0,20}\b(?:previous|prior|above|earlier|all)\b.{0,20}\b(?:instructions?|prompts?|rules)\b/i,
  ],
  ['role-lines', /^(?:human|assistant|system):\s/im],
];

export function detectInjection(text: string): readonly InjectionFlag[] {
  return RULES.filter(([, pattern]) => pattern.test(text)).map(([rule]) => rule);
}

// Folds a word beyond ASCII: small letters, no accents, no invisible characters.

const INVISIBLE_OR_MARK = /[\p{M}\u00ad\u200b-\u200d]+/gu;
const INVISIBLE = /[\u00ad\u200b-\u200d]+/g;

/** Letters that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ð: 'd',
  þ: 'th',
};

export function foldWord(word: string): string {
  const bare = word.normalize('NFKD').replaceAll(INVISIBLE_OR_MARK, '').toLowerCase().normalize('NFC');
  return bare.replaceAll(/[øłđßæœıðþ]/g, (letter) => LETTERS[letter] ?? letter);
}

/** Scripts without spaces keep their marks: a voiced kana is another letter than a voiceless one. */
export function foldUnspaced(run: string): string {
  return run.normalize('NFKC').replaceAll(INVISIBLE, '');
}

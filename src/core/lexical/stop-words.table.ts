// Words that say little in a question. They are kept and count less: "to be" and "not in" are also names.

export const stopWords: ReadonlySet<string> = new Set(
  (
    'a about after all also an and any are as at be because been being but by can could did do does doing for from get gets ' +
    'had has have having he her here his how i if in into is it its just like make may me might more most my need no not of ' +
    'off on only or other our out over own same she should so some such than that the their them then there these they ' +
    'this those to too under up use used uses using very via want was way we were what when where which while who whom why ' +
    'will with within without would you your'
  ).split(' '),
);

// Stop words. They are indexed and only count less in a query, because "to be" and "not in" are also identifiers.

export const stopWords: ReadonlySet<string> = new Set(
  (
    'a about after all also an and any are as at be because been being but by can could did do does doing for from get gets ' +
    'had has have having he her here his how i if in into is it its just like make may me might more most my need no not of ' +
    'off on only or other our out over own same she should so some such than that the their them then there these they ' +
    'this those to too under up use used uses using very via want was way we were what when where which while who whom why ' +
    'will with within without would you your'
  ).split(' '),
);

/** Common in queries written as sentences: meaningful, but less than their idf in documentation suggests. */
export const lowWeightWords: ReadonlySet<string> = new Set(
  (
    'above across again against already always among another around automatically avoid away back become before behind ' +
    'below best better between both bring cannot cant certain choose come correctly currently decide depend difference ' +
    'different directly doesnt dont during each easily either enough ensure even ever every everything exactly explain find ' +
    'give given go going good happen help instead isnt itself keep kind know later least less look many mean much multiple ' +
    'never now often once one others please possible prevent properly provide purpose put really reason say see several ' +
    'show since someone something still sure take tell thing three through together two understand until usually various ' +
    'well whether whole wont work wrong yet'
  ).split(' '),
);

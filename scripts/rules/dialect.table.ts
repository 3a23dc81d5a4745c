// Wording that the project does not use, and what to write instead. `npm run check` refuses it in documentation, help,
// messages, comments and the dashboard. The glossary, docs/concepts.md, has the terms.

export interface DeniedPhrase {
  readonly pattern: RegExp;
  /** What to write instead. */
  readonly instead: string;
  /** A line that matches this is fine. */
  readonly except?: RegExp;
  /** A sentence that is refused; a test plants each. */
  readonly example: string;
}

export const deniedPhrases: readonly DeniedPhrase[] = [
  {
    pattern:
      /\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|one\b|way\b|other\b|better\b|worse\b|bigger\b|larger\b|later\b|different\b)[a-z]+/i,
    except: /\b(?:there|here) (?:is|are|was|were) no\b/i,
    instead: '"is not a …" or "there is no …"',
    example: 'A heading is no page.',
  },
  {
    pattern: /\bwho(?:so)?ever\b/i,
    instead: '"anyone who", or name the person or process',
    example: 'Whoever asks is told.',
  },
  { pattern: /\banew\b/i, instead: '"again"', example: 'The page is fetched anew.' },
  { pattern: /\bmay not be asked\b/i, instead: '"must not be fetched"', example: 'This host may not be asked.' },
  {
    pattern: /\bstands? (?:for itself|again)\b/i,
    instead: '"is canonical", "is restored"',
    example: 'The copy stands for itself.',
  },
  {
    pattern: /\bbeside (?:it|them|that|this|the|a|an|each|another|its|our|one)\b/i,
    instead: '"next to", or "in addition to"',
    example: 'A test beside the code.',
  },
  { pattern: /\bsecond chance\b/i, instead: '"spell correction"', example: 'Words get a second chance.' },
  { pattern: /\blets? (?:a run|it|them) rest\b/i, instead: '"pause"', example: 'Let a run rest.' },
  { pattern: /\btakes? (?:a|the) token back\b/i, instead: '"revoke a token"', example: 'Take a token back.' },
  {
    pattern: /\b(?:first|closer|dense) look\b/i,
    instead: '"candidate generation", "rerank" or "dense retrieval"',
    example: 'The first look finds candidates.',
  },
  { pattern: /\bkept out\b/i, instead: '"excluded"', example: 'URLs that are kept out.' },
  {
    pattern: /\bpages that are one\b|\bfolded into the (?:one|page)\b/i,
    instead: '"duplicates", "collapsed into their canonical page"',
    example: 'Pages that are one are found.',
  },
  {
    pattern: /\bgives? it up\b|\bgave up on\b/i,
    instead: '"aborts", "releases" or "abandons"',
    example: 'A late worker gives it up.',
  },
  {
    pattern: /\bthreads? that (?:works?|reads?|answers?)\b/i,
    instead: '"crawl thread", "query thread" or "main thread"',
    example: 'The thread that answers is free.',
  },
  { pattern: /\bconductors?\b/i, instead: '"coordinator"', example: 'A conductor wires the stages.' },
  {
    pattern: /\b(?:this|which|every|each|four|five|other|all) doors?\b/i,
    instead: '"interface" or "binding"',
    example: 'Every door shows it.',
  },
  {
    pattern: /\bat a turn\b|\bfew at once\b/i,
    instead: '"per tick" or "per batch"',
    example: 'Eight requests at a turn.',
  },
  { pattern: /\brules? of the house\b/i, instead: '"the project\'s rules"', example: 'By the rules of the house.' },
  {
    pattern: /\bwhat (?:it|they|a \w+) (?:is|are) worth\b/i,
    instead: '"weight"',
    example: 'Decides what a word is worth.',
  },
  {
    pattern: /\b(?:some|no|any|every)body\b/i,
    // A user of Unix.
    except: /chown nobody|reuid=nobody|'nobody'/,
    instead: 'name the user, client, worker or process',
    example: 'If somebody asks for it.',
  },
  {
    pattern:
      /\bof (?:its|their|our|your|his|my) own(?:[.,:;)]|$| (?:that|which|for|in|and|or|with|above|is|are|on|whose|where|as|has|if)\b)/i,
    instead: '"its own X", "a separate X"',
    example: 'It has a connection of its own.',
  },
  { pattern: /\bof (?:ours|yours)\b/i, instead: '"our X", "your X"', example: 'A browser of yours.' },
  { pattern: /\bfor ever\b/i, instead: '"forever"', example: 'It is kept for ever.' },
  { pattern: /\boutside of\b/i, instead: '"outside"; "an external index"', example: 'Memory outside of the heap.' },
  { pattern: /\blately\b/i, instead: '"recently"', example: 'Runs that ended lately.' },
  { pattern: /\bmeanwhile\b/i, instead: '"in the meantime"', example: 'The page was removed meanwhile.' },
  { pattern: /\bby turns\b/i, instead: '"alternately"', example: 'They ran by turns.' },
  { pattern: /\bbeforehand\b/i, instead: '"in advance"', example: 'They are loaded beforehand.' },
  {
    pattern: /\b(?:is|are|was|were) said\b|\bsays? so\b/i,
    instead: 'who reports, shows or states what',
    example: 'An empty library says so.',
  },
  {
    pattern: /\b(?:proxy|server|client|browser|program|database|node|site|host|tool) (?:wants?|tells?)\b/i,
    instead: '"requires", "reports"',
    example: 'The proxy wants a password.',
  },
  {
    pattern: /\bleft alone\b/i,
    instead: '"suspended", "not changed"',
    example: 'A host that fails is left alone.',
  },
  { pattern: /\bcome to rest\b|\bgets still\b/i, instead: '"is idle"', example: 'The page gets still.' },
  { pattern: /\bof one width\b/i, instead: '"monospaced"', example: 'Fonts of one width.' },
  { pattern: /\btext recognition\b/i, instead: '"OCR"', example: 'Without text recognition.' },
  { pattern: /\bprocessor time\b/i, instead: '"CPU time"', example: 'It takes processor time.' },
  { pattern: /\bthe begin of\b/i, instead: '"the start of"', example: 'Not the begin of a sentence.' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: '"fix", "heal"', example: 'The link is mended.' },
  { pattern: /\bgets? company\b/i, instead: '"is hedged"', example: 'A slow node gets company.' },
  {
    pattern: /, also (?:after|where|if|when)\b/i,
    instead: '"even after", or "also" before the verb',
    example: 'It continues, also after a kill.',
  },
  { pattern: /\bkept (?:it|them) out\b/i, instead: '"excluded"', example: 'The rule that kept it out.' },
  {
    pattern: /\bstays the truth\b/i,
    instead: '"remains the source of truth"',
    example: 'The database stays the truth.',
  },
  { pattern: /\bmade again\b/i, instead: '"reprocessed" or "rebuilt"', example: 'Pages are made again.' },
  { pattern: /\bwithout harm to\b/i, instead: '"safely"', example: 'Read without harm to the process.' },
  {
    pattern: /\bin the place of\b/i,
    instead: '"replace", "instead of"',
    example: 'Put a backup in the place of the library.',
  },
  {
    pattern: /(?:\/\*\*|\/\/) (?:Of|Those)\b/,
    instead: 'a comment that names its subject',
    example: '/** Of the first document. */',
  },
];

export interface OtherMeaning {
  readonly words: readonly string[];
  /** Files in which the words have another meaning. */
  readonly files?: RegExp;
  /** Files that mention this, in code or text. */
  readonly about?: RegExp;
  readonly meaning: string;
}

/** Where a denied identifier is the field's word. */
export const otherMeanings: readonly OtherMeaning[] = [
  {
    words: ['place', 'places'],
    files: /\/(?:gazetteer|analysis)\/|\/crawl\/(?:plan\/|rank-queue)/,
    about: /gazetteer|place_hubs/,
    meaning: 'a place of the gazetteer',
  },
  {
    words: ['form'],
    files: /^web\/|\/extract\/html\/|\/http\/ssr\/|^test\/feature\/render\//,
    meaning: 'a form of a page',
  },
  { words: ['form'], files: /\/tokenize\/term-id-cache/, meaning: 'the surface form of a word' },
  { words: ['form'], files: /\/pdf\//, meaning: 'a form XObject' },
  { words: ['figure'], files: /^web\/|\/rst-directives/, meaning: 'a figure of a page' },
  {
    words: ['figure', 'figures', 'form'],
    files: /\/(?:version-in-text|docx-styles|generated-pages|check-results)\.ts$/,
    meaning: 'part of a pattern',
  },
];

/** Words that no identifier is made of, with what to use instead. `siteLore` has the word `lore`. */
export const deniedIdentifiers: ReadonlyArray<readonly [word: string, instead: string]> = [
  ['look', 'generate, rerank, retrieve, poll, probe, check, stat or measure'],
  ['lore', 'siteProfile'],
  ['worth', 'termWeight or matchedWeight'],
  ['wish', 'command, filter or form'],
  ['wishes', 'commands or filters'],
  ['around', 'context'],
  ['surroundings', 'AppContext'],
  ['twin', 'duplicate or variant'],
  ['twins', 'duplicates or variants'],
  ['untangle', 'breakAliasCycles'],
  ['breadth', 'scope'],
  ['suspicion', 'injectionFlag'],
  ['suspicions', 'injectionFlags'],
  ['says', 'message, description, detail or label'],
  ['having', 'docFrequency'],
  ['conductor', 'coordinator'],
  ['elsewhere', 'delegated or remote'],
  ['door', 'binding or interface'],
  ['doors', 'bindings or interfaces'],
  ['sifted', 'filtered'],
  ['lanes', 'hostQueues'],
  ['tell', 'report, append or record'],
  ['tells', 'reports or records'],
  ['told', 'reported'],
  ['untold', 'missed'],
  ['judge', 'check, evaluate or compare'],
  ['judged', 'checked'],
  ['pace', 'rate, delay or throttle'],
  ['pacer', 'rate limiter'],
  ['mend', 'fix or heal'],
  ['asked', 'requested'],
  ['given', 'provided or input'],
  ['former', 'previous'],
  ['ask', 'request, send, query or search'],
  ['asks', 'requests or queries'],
  ['kept', 'stored, common, unchanged or admitted'],
  ['facts', 'metadata, fields or counts'],
  ['form', 'format, layout, style, syntax or spelling'],
  ['forms', 'formats, layouts, styles or spellings'],
  ['figure', 'measurement, metric or field'],
  ['figures', 'measurements, metrics, counts or results'],
  ['place', 'ref, key, location or position'],
  ['places', 'refs, keys, locations or positions'],
];

// Findings of reviews, by id: B store, crawl and search; X search index; P PostgreSQL at size; N security; T what a user
// meets. A test that shows a fault mended has the id in its name, as in `(finding B11)`. `test/findings.test.ts` compares
// both directions. One line each, in the order of the ids.

export interface Finding {
  readonly id: string;
  /** What was wrong. */
  readonly fault: string;
  /** Why there is no test of its own; absent if a test cites the id. */
  readonly answer?: string;
}

export const findings: readonly Finding[] = [
  { id: 'B1', fault: 'removing a chunk text read every row of vectors and embeddings' },
  { id: 'B3', fault: 'four paused runs kept every scheduled run from starting' },
  { id: 'B4', fault: 'from its thousandth run on, a source was downloaded in full each time' },
  { id: 'B5', fault: 'texts settled while the first space was opened were never embedded' },
  { id: 'B8', fault: 'a scrape, a list and the dashboard counted all pages of the library' },
  { id: 'B9', fault: 'a site that always responded with 429 kept its run alive for ever' },
  { id: 'B10', fault: 'with more than 20 live runs, llms-full.txt was read again for nearly every page' },
  {
    id: 'B11',
    fault: 'one page that cannot be stored rejected its whole batch; titles of OpenAPI had control characters',
  },
  { id: 'B12', fault: '`--wait` waited until every other source was indexed' },
  { id: 'B13', fault: 'a local folder was crawled by machines that do not have it' },
  { id: 'B14', fault: 'a path filter compared URLs for vectors and file paths for words' },
  { id: 'B16', fault: 'six rules for fences of code disagreed' },
  { id: 'B17', fault: 'a batch limit counted per version on SQLite and in all on PostgreSQL' },
  { id: 'B18', fault: 'what a crawl with a maximum depth stored depended on which page responded first' },
  { id: 'B19', fault: 'caches grew with every host and folder, and a full trap budget admitted everything' },
  { id: 'B20', fault: 'removing a source deleted all of its events in one statement without an index' },
  { id: 'B21', fault: 'a kill between two transactions of `add` left a source without a run' },
  { id: 'B22', fault: 'every query counted all texts of a space, and concurrent queries each did' },
  { id: 'B23', fault: 'an outline read the text of every chunk of its source, one query per page' },
  {
    id: 'B24',
    fault: 'a changed page loaded its stored body to compare two lengths, and one source all versions of all',
  },
  { id: 'B25', fault: 'four names that no DNS server answered stalled decompression and file reads of a worker' },
  { id: 'X1', fault: 'an index step took pages of one version only, so many sources at a time made tiny segments' },
  { id: 'X2', fault: 'one merge step per index step, and a rest while merges waited' },
  { id: 'X3', fault: 'segments of one size whose total was too large were never merged' },
  { id: 'X4', fault: 'eight sources that could not be merged kept all others from merging' },
  { id: 'X5', fault: 'a search over more than 2,000 segments read the page offsets of all of them again' },
  { id: 'X6', fault: 'beginning a merge counted every indexed page of the version' },
  { id: 'X7', fault: 'each step of a merge read its plan and numbered all chunks again' },
  { id: 'X8', fault: 'after a change of the tokenizer all pages were queued in one statement' },
  { id: 'X9', fault: 'the whole index queue was counted at every poll' },
  { id: 'P2', fault: 'with vectors on, one lock for all texts allowed one writer in the whole cluster' },
  { id: 'P3', fault: 'removing a chunk text scanned all vectors under that lock' },
  { id: 'P5', fault: 'at most four runs were active in a whole installation' },
  { id: 'P6', fault: 'one process coordinated any number of runs' },
  { id: 'P13', fault: 'statements at the end of a run read a whole version' },
  { id: 'P14', fault: 'a removal began each step at the head of the table again' },
  { id: 'P16', fault: 'a space was opened by one statement over all texts of the library' },
  { id: 'P17', fault: 'workers that claimed texts together waited for each other and got none' },
  { id: 'P5', fault: 'at most four runs were active in a whole installation' },
  { id: 'P6', fault: 'one process coordinated any number of runs' },
  { id: 'P13', fault: 'statements at the end of a run read a whole version' },
  { id: 'N1', fault: 'a config file in the working folder could send secrets and queries anywhere' },
  { id: 'N4', fault: 'each HTTP chunk of one byte was kept as an object, so one response took more than a gigabyte' },
  {
    id: 'N5',
    fault:
      'all URLs of all sitemaps were kept in memory, and a run that crashed its process was started again for ever',
  },
  { id: 'N6', fault: 'a sitemap that could not be parsed made its run start over for ever' },
  { id: 'N7', fault: 'each URL was matched against all rules of robots.txt, so 34,000 rules stopped a crawl' },
  { id: 'N8', fault: 'the background owner did not get the settings of a config file, so every command failed' },
  { id: 'N10', fault: 'vectors of an imported bundle served other sources with the same texts' },
  { id: 'N11', fault: 'texts of an imported bundle were stored with hidden characters' },
  { id: 'N12', fault: 'files of discovery on other hosts were requested against their robots.txt, up to 1000 of them' },
  { id: 'N13', fault: 'a proxy was given names that do not resolve here, and could not be given the checked address' },
  { id: 'N16', fault: 'verify and doctor did not see damaged pages of the file or lost postings' },
  { id: 'N18', fault: 'restoring a backup brought revoked access tokens back' },
  { id: 'N20', fault: 'a space with more than 2,000 dimensions could not be opened on PostgreSQL' },
  { id: 'N28', fault: 'slow names kept all threads that files and decompression need' },
  { id: 'N29', fault: 'a site with endless pages was crawled until the disk was full' },
  { id: 'T1.15', fault: 'a range of ports was refused with a message of the parser' },
  { id: 'T1.16', fault: 'after a failed `add` the advice was to choose another name' },
  { id: 'T2.1', fault: 'one page that was always throttled stopped the crawl of its site' },
  { id: 'T2.4', fault: 'a damaged database and an unusable data directory were reported as stack traces' },
  { id: 'T2.5', fault: 'a wrong host, a dead port and a missing start page were explained as something else' },
  { id: 'T2.6', fault: '`problems` said nothing about runs that failed' },
  { id: 'T2.7', fault: 'a login, a refusal or a bot check had no next step' },
  { id: 'T2.8', fault: 'JSON lines of the log appeared in the middle of a terminal' },
  { id: 'T2.9', fault: 'an unknown variable suggested another with which it shared only the prefix' },
  { id: 'T2.10', fault: 'credentials in a URL were dropped without a word' },
  { id: 'T2.11', fault: 'remove asked nothing, even during a run, and did not say what was removed' },
  { id: 'T3.6', fault: 'token create printed a sentence on stdout after the token' },
  { id: 'T3.7', fault: 'doctor --server examined the local folder' },
  { id: 'T3.8', fault: 'sources export - wrote a file, export replaced files, a foreign server was not named' },
];

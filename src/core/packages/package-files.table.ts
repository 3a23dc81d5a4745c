// Names of folders and files that show the purpose of a package's files.

/** Folders whose files are never documentation, unless they are Markdown inside a documentation folder. */
export const NOISE_FOLDERS: ReadonlySet<string> = words(
  'node_modules bower_components vendor vendored _vendor third_party thirdparty compiled test tests __tests__ __mocks__ __fixtures__ testdata test-d spec specs fixture fixtures e2e bench benches benchmark benchmarks coverage prebuilds __pycache__ __snapshots__',
);

/** Folders with built files: their scripts are generated. */
export const BUILT_FOLDERS: ReadonlySet<string> = words(
  'dist build built out umd cjs esm esm5 esm2015 es es2015 fesm2015 fesm2022 bundles bundle min lib-esm lib-cjs legacy modern',
);

export const DOCUMENTATION_FOLDERS: ReadonlySet<string> = words(
  'doc docs documentation guide guides manual tutorial tutorials migration migrations',
);
export const EXAMPLE_FOLDERS: ReadonlySet<string> = words('example examples demo demos samples cookbook');

/** Texts about the project rather than about its use; compared in lower case, without the ending. */
export const PROJECT_FILES: ReadonlySet<string> = words(
  'license licence licenses licences copying notice patents third-party-notices thirdpartynotices contributing contributors authors maintainers owners governance code_of_conduct code-of-conduct security support sponsors backers project_charter pull_request_template issue_template threat_model threatmodel todo roadmap codeowners funding developing development hacking releasing contribute',
);

/** Languages of translated texts; English ones are kept. */
export const TRANSLATION_CODES: ReadonlySet<string> = words(
  'ar az be bg bn ca cn cs da de el es et fa fi fil fr he hi hr hu id it ja jp ka km ko kr lt lv ms my nb nl no pl pt ro ru sk sl sq sr sv sw ta te th tl tr tw ua uk ur uz vi zh',
);

export const PROSE_ENDINGS: ReadonlySet<string> = words('md mdx markdown mdown rst adoc asciidoc');
export const CODE_ENDINGS: ReadonlySet<string> = words(
  'js mjs cjs jsx ts mts cts tsx vue svelte py rs go c h cc cpp hpp java kt rb php swift',
);

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

// The real files, by package, and where the truth about each is written.

import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface RealFile {
  readonly format: string;
  readonly package: string;
  readonly name: string;
  readonly path: string;
  readonly truth:
    | { readonly kind: 'html'; readonly paths: readonly string[]; readonly root: string }
    /** The headings of slides are their own titles, and their code is that of the text they were written from. */
    | { readonly kind: 'pandoc' | 'slides'; readonly from: string; readonly path?: string }
    | { readonly kind: 'mandoc' };
  readonly reference:
    | { readonly kind: 'pandoc'; readonly from: string; readonly path?: string }
    | { readonly kind: 'pdftotext' | 'mandoc' };
  /** Selects the tables of the truth that have ruling lines in the file. */
  readonly ruled?: string;
  /** Whether it is text that may include other files. */
  readonly isText?: boolean;
}

const DOCUTILS =
  'ref/rst/directives ref/rst/restructuredtext ref/rst/roles user/rst/quickstart user/config howto/rst-directives howto/html-stylesheets dev/hacking dev/policies dev/repository dev/testing api/publisher'.split(
    ' ',
  );
const LINUX =
  'process/coding-style process/submitting-patches admin-guide/sysrq admin-guide/bug-hunting core-api/printk-formats core-api/local_ops locking/mutex-design filesystems/fuse doc-guide/sphinx dev-tools/kasan trace/ftrace networking/netconsole'.split(
    ' ',
  );
const GIT =
  'git-bisect git-rev-list git-pull git-show git-reset gitignore gittutorial githooks gitattributes gitfaq gitworkflows gitcore-tutorial'.split(
    ' ',
  );
const MAN =
  'man3/printf.3 man2/open.2 man2/socket.2 man3/strftime.3 man2/mmap.2 man7/epoll.7 man7/signal.7 man2/clone.2 man5/proc.5 man7/inotify.7 man3/getaddrinfo.3 man2/fcntl.2 man3/arc4random.3bsd man3/md5.3bsd man3/getpeereid.3bsd man3/editline.3edit'.split(
    ' ',
  );

export function realFiles(folder: string): readonly RealFile[] {
  const docs = join(folder, 'root/usr/share/doc');
  const found = (path: string): string => (existsSync(path) ? path : `${path}.gz`);
  const files: RealFile[] = [];
  for (const name of DOCUTILS) {
    const page = join(docs, 'docutils-doc/docs', name);
    files.push({
      format: 'rst',
      package: 'docutils-doc',
      isText: true,
      name: `${basename(name)}.rst`,
      path: found(`${page}.txt`),
      truth: { kind: 'html', paths: [found(`${page}.html`)], root: 'body' },
      reference: { kind: 'pandoc', from: 'rst' },
    });
  }
  for (const name of LINUX) {
    const source = found(join(docs, 'linux-doc-6.1/html/_sources', `${name}.rst.txt`));
    const rendered = found(join(docs, 'linux-doc-6.1/html', `${name}.html`));
    if (!existsSync(source) || !existsSync(rendered)) continue;
    files.push({
      format: 'rst',
      package: 'linux-doc-6.1',
      name: `${basename(name)}.rst`,
      path: source,
      truth: { kind: 'html', paths: [rendered], root: '[role=main]' },
      reference: { kind: 'pandoc', from: 'rst' },
    });
  }
  for (const name of GIT) {
    const page = join(docs, 'git-doc', name);
    files.push({
      format: 'asciidoc',
      package: 'git-doc',
      isText: true,
      name: `${name}.txt`,
      path: found(`${page}.txt`),
      truth: { kind: 'html', paths: [found(`${page}.html`)], root: 'body' },
      reference: { kind: 'pandoc', from: 'html', path: found(`${page}.html`) },
    });
  }
  for (const name of MAN) {
    const path = found(join(folder, 'root/usr/share/man', name));
    if (!existsSync(path)) continue;
    files.push({
      format: 'man',
      package: name.endsWith('bsd') ? 'libbsd-dev' : name.endsWith('edit') ? 'libedit-dev' : 'manpages-dev',
      name: basename(name),
      path,
      truth: { kind: 'mandoc' },
      reference: /(?:bsd|edit)$/.test(name) ? { kind: 'mandoc' } : { kind: 'pandoc', from: 'man' },
    });
  }
  const pdfs = pdfFiles(folder);
  const printed = printedFiles(folder, files);
  const office = [...officeFiles(folder), ...libreOfficeFiles(folder, files)];
  return [...files, ...pdfs, ...withoutOutline(folder, pdfs), ...printed, ...books(folder), ...office];
}

/** R's manuals have tables, but none with rules. */
const RULED = 'table[border="1"], table.docutils.align-default';

const R_MANUALS = 'R-FAQ R-admin R-data R-exts R-intro R-ints R-lang'.split(' ');

const FHS = 'doc/debian-policy/fhs/fhs-3.0';

/** The same manuals as web pages are the truth. */
function pdfFiles(folder: string): readonly RealFile[] {
  const share = join(folder, 'root/usr/share');
  const file = (packageName: string, path: string, paths: readonly string[], root: string): RealFile => ({
    format: 'pdf',
    package: packageName,
    name: basename(path),
    path: join(share, path),
    truth: { kind: 'html', paths, root },
    reference: { kind: 'pdftotext' },
    ruled: RULED,
  });
  return [
    ...R_MANUALS.map((name) =>
      file('r-doc-pdf', `R/doc/manual/${name}.pdf`, [join(share, `R/doc/manual/${name}.html`)], 'body'),
    ),
    file(
      'developers-reference',
      'developers-reference/developers-reference.pdf',
      htmlPages(join(share, 'developers-reference'), DEVREF),
      '[role=main]',
    ),
    file('maint-guide', 'doc/maint-guide/maint-guide.en.pdf', allPages(join(share, 'doc/maint-guide/html')), 'body'),
    {
      ...file('debian-policy', `${FHS}.pdf.gz`, [join(share, `${FHS}.html`)], 'body'),
      format: 'pdf-tables',
      name: 'fhs-3.0.pdf',
      ruled: 'table',
    },
  ];
}

/** The same, without their outlines: headings by size only. */
function withoutOutline(folder: string, pdfs: readonly RealFile[]): readonly RealFile[] {
  const copies = pdfs.map((file) => ({
    ...file,
    format: 'pdf-no-outline',
    path: join(folder, 'made/no-outline', file.name),
  }));
  return copies.filter(({ path }) => existsSync(path));
}

/** Web pages printed by Chromium; the truth is the web page. */
function printedFiles(folder: string, pages: readonly RealFile[]): readonly RealFile[] {
  const printed = pages.map(({ truth, package: packageName, name }): RealFile => {
    const file = name.replace(/\.\w+$/, '.pdf');
    const path = join(folder, 'made/printed', file);
    const own = { format: 'pdf-printed', package: packageName, name: file, path };
    return { ...own, truth, reference: { kind: 'pdftotext' }, ruled: 'table[border="1"]' };
  });
  return printed.filter(({ path }) => existsSync(path));
}

const DEVREF =
  'scope new-maintainer developer-duties resources pkgs best-pkging-practices beyond-pkging l10n tools'.split(' ');

function htmlPages(folder: string, names: readonly string[]): readonly string[] {
  return names.map((name) => join(folder, `${name}.html`)).filter((path) => existsSync(path));
}

function allPages(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.en.html') && name !== 'index.en.html');
  return names.map((name) => join(folder, name));
}

function books(folder: string): readonly RealFile[] {
  const share = join(folder, 'root/usr/share');
  const book = (packageName: string, path: string): RealFile => ({
    format: 'epub',
    package: packageName,
    name: basename(path),
    path: join(share, path),
    truth: { kind: 'pandoc', from: 'epub' },
    reference: { kind: 'pandoc', from: 'epub' },
  });
  return [
    book('developers-reference', 'developers-reference/developers-reference.epub'),
    book('debian-policy', 'doc/debian-policy/policy.epub'),
  ];
}

/** The files of mammoth, and those that fetch-files.sh writes from real documents. */
function officeFiles(folder: string): readonly RealFile[] {
  const files: RealFile[] = [];
  for (const [packageName, path] of [
    ['mammoth', 'npm/node_modules/mammoth/test/test-data'],
    ['docutils-doc and git-doc, written by pandoc', 'made'],
  ] as const) {
    const from = join(folder, path);
    for (const name of existsSync(from) ? readdirSync(from).toSorted() : []) {
      const format = /\.(docx|odt|epub|pptx)$/.exec(name)?.[1];
      if (format === undefined) continue;
      const source = path === 'made' ? sourceOf(folder, name, format) : { from: format };
      const kind = format === 'pptx' ? 'slides' : 'pandoc';
      files.push({
        format,
        package: packageName,
        name,
        path: join(from, name),
        truth: { kind, ...source },
        reference: { kind: 'pandoc', ...source },
      });
    }
  }
  return files;
}

/** Written by LibreOffice from web pages, whose truth is theirs, and from the slides of pandoc. */
function libreOfficeFiles(folder: string, pages: readonly RealFile[]): readonly RealFile[] {
  const made = join(folder, 'made/libreoffice');
  const names = existsSync(made) ? readdirSync(made).toSorted() : [];
  return names.flatMap((name): RealFile[] => {
    const [stem = '', format = ''] = name.split('.');
    const own = { format: `${format}-libreoffice`, name, path: join(made, name) };
    if (format === 'pptx') {
      const source = { from: 'markdown', path: join(folder, 'made', `${stem}.md`) };
      const packageName = 'docutils-doc, written by LibreOffice';
      return [
        {
          ...own,
          package: packageName,
          truth: { kind: 'slides', ...source },
          reference: { kind: 'pandoc', ...source },
        },
      ];
    }
    const page = pages.find((file) => file.name.replace(/\.\w+$/, '') === stem);
    if (page?.truth.kind !== 'html') return [];
    const reference = { kind: 'pandoc', from: 'html', path: page.truth.paths[0]! } as const;
    return [{ ...own, package: `${page.package}, written by LibreOffice`, truth: page.truth, reference }];
  });
}

/** What a file was written from: pandoc itself does not find all headings in its OpenDocument files, and reads no slides. */
function sourceOf(folder: string, name: string, format: string): { readonly from: string; readonly path: string } {
  const stem = name.slice(0, -format.length - 1);
  if (format === 'pptx') return { from: 'markdown', path: join(folder, 'made', `${stem}.md`) };
  const text = join(folder, 'made', `${stem}.rst`);
  return existsSync(text)
    ? { from: 'rst', path: text }
    : { from: 'html', path: join(folder, 'root/usr/share/doc/git-doc', `${stem}.html`) };
}

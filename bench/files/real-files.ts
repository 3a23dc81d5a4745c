// The real files, by package, and where the truth about each is written.

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface RealFile {
  readonly format: string;
  readonly package: string;
  readonly name: string;
  readonly path: string;
  readonly truth:
    | { readonly kind: 'html'; readonly paths: readonly string[]; readonly root: string }
    | { readonly kind: 'pandoc'; readonly from: string; readonly path?: string }
    | { readonly kind: 'mandoc' };
  readonly reference:
    | { readonly kind: 'pandoc'; readonly from: string; readonly path?: string }
    | { readonly kind: 'pdftotext' | 'mandoc' };
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
  return files;
}

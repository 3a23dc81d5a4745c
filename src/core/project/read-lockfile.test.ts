import { expect, test } from 'vitest';
import { PinakesError } from '../model/errors.ts';
import type { LockedPackages } from './locked-package.ts';
import { LOCKFILES, readLockfile } from './read-lockfile.ts';

function read(file: string, text: string, manifests: Readonly<Record<string, string>> = {}): LockedPackages {
  const kind = LOCKFILES.find((one) => one.file === file);
  if (kind === undefined) throw new Error(`no reader for ${file}`);
  return readLockfile(kind, { path: file, text, manifests: new Map(Object.entries(manifests)) });
}

/** `name@version` with its workspaces for a direct dependency, and a minus sign for one that only others use. */
function listed({ packages }: LockedPackages): string[] {
  return packages.map(({ name, version, isDirect, workspaces, aliases }) => {
    const uses = isDirect ? workspaces.map((workspace) => workspace || '.').join(' ') : '-';
    return [`${name}@${version}`, uses, ...(aliases.length === 0 ? [] : [`as ${aliases.join(' ')}`])].join(' ');
  });
}

test('uv.lock: members of the workspace, groups, and a version where several are locked', () => {
  const text = `version = 1
requires-python = ">=3.11"

[manifest]
members = ["app", "lib"]

[[package]]
name = "app"
version = "0.1.0"
source = { virtual = "." }
dependencies = [
    { name = "flask" },
    { name = "lib" },
    { name = "numpy", version = "1.26.0", source = { registry = "https://pypi.org/simple" }, marker = "python_full_version < '3.12'" },
]

[package.dev-dependencies]
dev = [{ name = "PyTest" }]

[package.metadata]
requires-dist = [{ name = "flask", specifier = ">=3" }]

[[package]]
name = "lib"
version = "0.1.0"
source = { editable = "packages/lib" }
dependencies = [{ name = "app" }, { name = "jinja2" }]

[[package]]
name = "flask"
version = "3.0.0"
source = { registry = "https://pypi.org/simple" }
sdist = { url = "https://files.pythonhosted.org/flask.tar.gz", hash = "sha256:aa", size = 674171 }
wheels = [
    { url = "https://files.pythonhosted.org/flask.whl", hash = "sha256:bb", size = 101000 },
]

[[package]]
name = "jinja2"
version = "3.1.2"
source = { registry = "https://pypi.org/simple" }

[[package]]
name = "numpy"
version = "1.26.0"
source = { registry = "https://pypi.org/simple" }

[[package]]
name = "numpy"
version = "2.1.0"
source = { registry = "https://pypi.org/simple" }

[[package]]
name = "pytest"
version = "8.0.0"
source = { registry = "https://pypi.org/simple" }
`;
  expect(listed(read('uv.lock', text))).toEqual([
    'flask@3.0.0 .',
    'jinja2@3.1.2 packages/lib',
    'numpy@1.26.0 .',
    'numpy@2.1.0 -',
    'pytest@8.0.0 .',
  ]);
});

test('poetry.lock: direct are the dependencies of pyproject.toml, of either form', () => {
  const text = `[[package]]
name = "flask"
version = "3.0.0"
description = "A \\"simple\\" framework"
optional = false
python-versions = ">=3.8"
files = [
    {file = "flask.whl", hash = "sha256:aa"},
]

[package.dependencies]
Jinja2 = ">=3.1.2"
importlib-metadata = {version = ">=3.6.0", markers = "python_version < \\"3.10\\""}

[[package]]
name = "Jinja2"
version = "3.1.2"

[[package]]
name = "pytest_cov"
version = "4.0"

[metadata]
lock-version = "2.0"
`;
  const poetry = `[tool.poetry.dependencies]\npython = "^3.11"\nflask = { version = "^3", extras = ["async"] }\n[tool.poetry.group.dev.dependencies]\npytest-cov = "*"\n`;
  const standard = `[project]\nname = "x"\ndependencies = [\n  "Flask[async] >= 3 ; python_version > '3.8'", # web\n]\n[dependency-groups]\ndev = ["pytest.cov", { include-group = "x" }]\n`;
  for (const manifest of [poetry, standard])
    expect(listed(read('poetry.lock', text, { 'pyproject.toml': manifest }))).toEqual([
      'flask@3.0.0 .',
      'jinja2@3.1.2 -',
      'pytest-cov@4.0 .',
    ]);
});

test('Pipfile.lock: direct are the packages of the Pipfile', () => {
  const text = JSON.stringify({
    _meta: { hash: { sha256: 'x' } },
    default: {
      flask: { index: 'pypi', version: '==3.0.0', hashes: ['sha256:aa'] },
      jinja2: { version: '==3.1.2' },
      own: { path: '.', editable: true },
    },
    develop: { pytest: { version: '==8.0.0' } },
  });
  const pipfile = `[[source]]\nurl = "https://pypi.org/simple"\n[packages]\nFlask = "*"\nown = {path = ".", editable = true}\n[dev-packages]\npytest = "*"\n`;
  const found = read('Pipfile.lock', text, { Pipfile: pipfile });
  expect(listed(found)).toEqual(['flask@3.0.0 .', 'jinja2@3.1.2 -', 'pytest@8.0.0 .']);
  expect(found.skipped).toEqual([{ name: 'own', reason: 'local' }]);
});

test('requirements.txt: only pinned lines count, and the comments of pip-compile say what is direct', () => {
  expect(listed(read('requirements.txt', 'Flask==2.2.2\nrequests[socks] == 2.28.1 ; python_version > "3"\n'))).toEqual([
    'flask@2.2.2 .',
    'requests@2.28.1 .',
  ]);
  const compiled = `flask==3.0.0 \\
    --hash=sha256:aa \\
    --hash=sha256:bb
    # via -r requirements.in
jinja2==3.1.2
    # via flask
click==8.1.0
    # via
    #   app (pyproject.toml)
    #   flask
-e .
-r other.txt
attrs>=22
`;
  const found = read('requirements.txt', compiled);
  expect(listed(found)).toEqual(['click@8.1.0 .', 'flask@3.0.0 .', 'jinja2@3.1.2 -']);
  expect(found.skipped).toEqual([{ name: 'attrs', reason: 'unpinned' }]);
});

test('Cargo.lock: what the members of the workspace depend on is direct', () => {
  const text = `# This file is automatically @generated by Cargo.
version = 3

[[package]]
name = "app"
version = "0.1.0"
dependencies = [
 "lib",
 "rand 0.8.5",
 "serde",
]

[[package]]
name = "lib"
version = "0.1.0"
dependencies = [
 "rand 0.7.3 (registry+https://github.com/rust-lang/crates.io-index)",
]

[[package]]
name = "rand"
version = "0.7.3"
source = "registry+https://github.com/rust-lang/crates.io-index"
checksum = "aa"

[[package]]
name = "rand"
version = "0.8.5"
source = "registry+https://github.com/rust-lang/crates.io-index"

[[package]]
name = "serde"
version = "1.0.200"
source = "registry+https://github.com/rust-lang/crates.io-index"
dependencies = ["serde_derive"]

[[package]]
name = "serde_derive"
version = "1.0.200"
source = "registry+https://github.com/rust-lang/crates.io-index"
`;
  expect(listed(read('Cargo.lock', text))).toEqual([
    'rand@0.7.3 lib',
    'rand@0.8.5 app',
    'serde@1.0.200 app',
    'serde_derive@1.0.200 -',
  ]);
});

test('go.mod: indirect requirements, replacements, and what only go.sum lists', () => {
  const text = `module example.com/app

go 1.22

require github.com/spf13/cobra v1.8.0
require (
	github.com/gin-gonic/gin v1.9.1 // a comment
	golang.org/x/net v0.20.0 // indirect
	example.com/own v1.0.0
	example.com/fork v1.2.0
)

replace example.com/own => ../own
replace example.com/fork v1.2.0 => example.com/forked v1.2.1
`;
  const sum = `github.com/spf13/cobra v1.8.0 h1:aa=
github.com/spf13/cobra v1.8.0/go.mod h1:bb=
golang.org/x/text v0.3.0/go.mod h1:bb=
golang.org/x/text v0.9.0 h1:bb=
golang.org/x/text v0.14.0 h1:bb=
`;
  const found = read('go.mod', text, { 'go.sum': sum });
  expect(listed(found)).toEqual([
    'example.com/forked@v1.2.1 .',
    'github.com/gin-gonic/gin@v1.9.1 .',
    'github.com/spf13/cobra@v1.8.0 .',
    'golang.org/x/net@v0.20.0 -',
    'golang.org/x/text@v0.14.0 -',
  ]);
  expect(found.skipped).toEqual([{ name: 'example.com/own', reason: 'local' }]);
});

test('Gemfile.lock: platforms are no versions, PATH gems are the project’s own', () => {
  const text = `PATH
  remote: engines/own
  specs:
    own (0.1.0)
      rails

GEM
  remote: https://rubygems.org/
  specs:
    nokogiri (1.16.0)
      racc (~> 1.4)
    nokogiri (1.16.0-x86_64-linux)
      racc (~> 1.4)
    racc (1.7.3)
    rails (7.1.2)

PLATFORMS
  x86_64-linux

DEPENDENCIES
  nokogiri (~> 1.16)
  own!
  rails

BUNDLED WITH
   2.5.3
`;
  const found = read('Gemfile.lock', text);
  expect(listed(found)).toEqual(['nokogiri@1.16.0 .', 'racc@1.7.3 -', 'rails@7.1.2 .']);
  expect(found.skipped).toEqual([{ name: 'own', reason: 'local' }]);
});

test('composer.lock: direct are the packages of composer.json', () => {
  const text = JSON.stringify({
    packages: [
      { name: 'symfony/console', version: 'v7.0.1' },
      { name: 'psr/log', version: '3.0.0' },
    ],
    'packages-dev': [
      { name: 'phpunit/phpunit', version: '11.0.0' },
      { name: 'x/dev', version: 'dev-main' },
    ],
  });
  const manifest = JSON.stringify({
    require: { php: '>=8', 'Symfony/Console': '^7' },
    'require-dev': { 'phpunit/phpunit': '^11' },
  });
  const found = read('composer.lock', text, { 'composer.json': manifest });
  expect(listed(found)).toEqual(['phpunit/phpunit@11.0.0 .', 'psr/log@3.0.0 -', 'symfony/console@7.0.1 .']);
  expect(found.skipped).toEqual([{ name: 'x/dev', reason: 'version' }]);
});

test('every reader rejects what is not its lockfile with an error of the catalogue', () => {
  for (const { file } of LOCKFILES) {
    for (const text of [
      '',
      '\0',
      '{}',
      '[]',
      'null',
      '{"packages":',
      '[[package',
      'a: &a [*a, *a]',
      '<<<<<<< HEAD\n',
      '"'.repeat(1000),
    ]) {
      try {
        expect(read(file, text).packages).toEqual([]);
      } catch (error) {
        expect(error).toBeInstanceOf(PinakesError);
        expect((error as PinakesError).code).toBe('lockfile.malformed');
      }
    }
  }
});

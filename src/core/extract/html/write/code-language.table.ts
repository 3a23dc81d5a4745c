// Names of programming languages that may be a bare class, as in `<pre class="cpp">`, and words after `language-` or
// `highlight-` that mean no language.

export const LANGUAGE_NAMES: ReadonlySet<string> = new Set(
  `abap ada apache apacheconf applescript arduino asciidoc asm assembly astro awk bash basic bat batch bibtex c c++ c# cfg clojure cmake cmd cobol coffee
   coffeescript common-lisp console cpp cs csharp csh css csv cuda cxx cython d dart delphi diff docker dockerfile dot dts ebnf elisp elixir elm erb erl erlang
   f90 f# fish fortran fsharp gdscript gherkin git gitignore glsl gn go golang gradle graphql groovy haml handlebars haskell hbs hcl hlsl hs html html+django http
   ini ipython ipython3 java javascript jinja jinja2 jl js json json5 jsonc jsonnet jsp jsx julia kotlin kt ksh latex less lisp llvm log lua make makefile markdown
   mathematica matlab md mdx mermaid meson mjs cjs mips mysql nasm nginx ninja nim nix node objc objective-c objectivec ocaml octave pascal patch perl pgsql php pl
   plpgsql postgres postgresql powershell ps1 prisma prolog promql properties protobuf proto ps pug puppet purescript py py3 pycon python python2 python3 pytb q qml
   qmake r racket rb reason rest restructuredtext rst ruby rust rs sas sass scala scheme scss sed sh shell shell-session shellscript smalltalk solidity sparql sql sqlite
   stylus svelte swift systemverilog tcl tex terraform toml ts tsql tsx turtle twig typescript typst v vb vbnet verilog vhdl vim vue wasm wat webidl wgsl
   xml xquery xsd xsl xslt yaml yml zig zsh doscon ps1con abnf bnf gas nasm s asn1 idl jsonpath regex sqlite3 psql dtd`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

export const NO_LANGUAGE: ReadonlySet<string> = new Set(
  'default none plain plaintext text txt nohighlight no-highlight unknown auto notranslate raw code block container wrapper header caption title table lines line output source example undefined null'.split(
    ' ',
  ),
);

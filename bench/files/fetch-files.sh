#!/usr/bin/env bash
# fetch-files.sh [FOLDER]: the real files of files.ts, and the programs it compares with, from Debian and npm packages.
#
# Needs a Debian or Ubuntu system, but neither root nor an installation: packages are unpacked into FOLDER (default
# /tmp/pinakes-files, or FILES_FOLDER). FOLDER/packages.tsv then has name, version and licence of every package.
set -euo pipefail

folder=${1:-${FILES_FOLDER:-/tmp/pinakes-files}}
mkdir -p "$folder/deb" "$folder/root" "$folder/npm" "$folder/made"

# Licences as in the package's own copyright file; the files are read, never distributed.
documents='
docutils-doc BSD-2-Clause, GPL-3+ and public domain
linux-doc-6.1 GPL-2
git-doc GPL-2
manpages GPL-2+ and others
manpages-dev GPL-2+ and others
libbsd-dev BSD-3-Clause
libedit-dev BSD-3-Clause
debian-policy GPL-2+
developers-reference GPL-2+
maint-guide GPL-2+
r-doc-pdf GPL-2+
r-doc-html GPL-2+'
programs='pandoc poppler-utils mandoc'

depends=(--recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances)
# shellcheck disable=SC2086
libraries=$(apt-cache depends "${depends[@]}" $programs | grep -E '^(lib|pandoc|poppler|mandoc)' | grep -v '^libc6' | sort -u)
(
  cd "$folder/deb"
  # shellcheck disable=SC2046,SC2086
  apt-get download --quiet $(awk 'NF { print $1 }' <<<"$documents") $libraries
)
for package in "$folder"/deb/*.deb; do dpkg-deb --extract "$package" "$folder/root"; done

printf 'package\tversion\tlicence\n' >"$folder/packages.tsv"
while read -r name licence; do
  [ -n "$name" ] || continue
  version=$(dpkg-deb --field "$(ls "$folder"/deb/"$name"_*.deb)" Version)
  printf '%s\t%s\t%s\n' "$name" "$version" "$licence" >>"$folder/packages.tsv"
done <<<"$documents"

# The published package has the documents of its tests.
mammoth=1.13.0
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$folder/npm" "mammoth@$mammoth"
printf 'mammoth\t%s\tBSD-2-Clause\n' "$mammoth" >>"$folder/packages.tsv"

# Office files and books are rare in packages: pandoc writes them from documents of the others.
share=$folder/root/usr/share
write() {
  LD_LIBRARY_PATH="$folder/root/usr/lib/x86_64-linux-gnu:$folder/root/lib/x86_64-linux-gnu" pandoc_datadir="$share/pandoc" \
    "$folder/root/usr/bin/pandoc" --quiet --from "$1" --output "$folder/made/$2" "$3"
}
for source in ref/rst/directives ref/rst/roles user/config howto/rst-directives; do
  name=$(basename "$source")
  zcat -f "$share/doc/docutils-doc/docs/$source".txt* >"$folder/made/$name.rst"
  for format in docx odt epub md; do write rst "$name.$format" "$folder/made/$name.rst"; done
  write markdown "$name.pptx" "$folder/made/$name.md"
done
for source in gittutorial gitworkflows gitfaq; do
  for format in docx odt epub; do write html "$source.$format" "$share/doc/git-doc/$source.html"; done
done
# Uniting one file drops its outline, and so its headings can only be found by size.
mkdir -p "$folder/made/no-outline"
for source in R/doc/manual/R-FAQ R/doc/manual/R-data R/doc/manual/R-intro R/doc/manual/R-lang \
  developers-reference/developers-reference doc/maint-guide/maint-guide.en; do
  LD_LIBRARY_PATH="$folder/root/usr/lib/x86_64-linux-gnu:$folder/root/lib/x86_64-linux-gnu" \
    "$folder/root/usr/bin/pdfunite" "$share/$source.pdf" "$folder/made/no-outline/$(basename "$source").pdf" 2>/dev/null
done
# TeX wrote all of these: where there is a Chromium, it prints web pages.
if command -v chromium >/dev/null; then
  mkdir -p "$folder/made/printed"
  sandbox=()
  [ "$(id -u)" -ne 0 ] || sandbox=(--no-sandbox)
  for source in docutils-doc/docs/{ref/rst/{directives,restructuredtext,roles},user/{rst/quickstart,config},howto/rst-directives,dev/{hacking,testing}} \
    git-doc/{git-bisect,git-reset,gitignore,gittutorial,githooks,gitattributes,gitfaq,gitworkflows}; do
    chromium --headless ${sandbox[@]+"${sandbox[@]}"} --disable-gpu --no-pdf-header-footer --print-to-pdf="$folder/made/printed/$(basename "$source").pdf" \
      "file://$share/doc/$source.html" 2>/dev/null
  done
fi
# Office files of another writer: LibreOffice, where it is installed, reads the same web pages and slides.
if command -v soffice >/dev/null; then
  made=$folder/made/libreoffice
  mkdir -p "$made"
  pages=("$share"/doc/git-doc/{gittutorial,gitworkflows,gitfaq,githooks,gitattributes}.html)
  pages+=("$share"/doc/docutils-doc/docs/{ref/rst/{directives,roles},user/config,howto/rst-directives,dev/hacking}.html)
  office() { HOME="$folder" soffice --headless "$@" >/dev/null 2>&1; }
  for filter in 'docx:MS Word 2007 XML' odt:writer8; do
    office --infilter='HTML (StarWriter)' --convert-to "$filter" --outdir "$made" "${pages[@]}"
  done
  office --convert-to pptx --outdir "$made" "$folder"/made/*.pptx
fi
column -t -s $'\t' "$folder/packages.tsv"

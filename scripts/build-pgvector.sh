#!/usr/bin/env bash
# Builds pgvector for Debian's PostgreSQL 15, which has no package of it, from the source package of Debian's next
# release. apt verifies the signature of what it downloads. Needs gcc, make and postgresql-server-dev-15, and root.
set -euo pipefail

config=/usr/lib/postgresql/15/bin/pg_config
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/parts" "$work/lists/partial"

# Uses the machine's own mirror and key for the sources of another release. Both formats of apt's source files are read.
shopt -s nullglob
deb822=(/etc/apt/sources.list.d/*.sources)
one_line=(/etc/apt/sources.list /etc/apt/sources.list.d/*.list)
if [ ${#deb822[@]} -gt 0 ]; then
  awk -v RS='' -F'\n' '
    { uri = suites = key = ""
      for (i = 1; i <= NF; i++) {
        if ($i ~ /^URIs:/) uri = substr($i, 6)
        if ($i ~ /^Suites:/) suites = substr($i, 8)
        if ($i ~ /^Signed-By:/) key = substr($i, 11)
      }
      if ((suites " ") ~ / bookworm / && !found) {
        found = 1
        print "Types: deb-src\nURIs:" uri "\nSuites: trixie\nComponents: main"
        if (key != "") print "Signed-By:" key
      }
    }' "${deb822[@]}" >"$work/parts/next.sources"
fi
if [ ! -s "$work/parts/next.sources" ]; then
  rm -f "$work/parts/next.sources"
  for file in "${one_line[@]}"; do
    [ -f "$file" ] && sed -nE 's/^deb[[:space:]]+(.*)[[:space:]]bookworm[[:space:]].*$/deb-src \1 trixie main/p' "$file"
  done | head -n 1 >"$work/parts/next.list"
  [ -s "$work/parts/next.list" ] || { echo 'apt has no entry for Debian bookworm, so no mirror is known' >&2; exit 1; }
fi

options=(-o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$work/parts" -o "Dir::State::lists=$work/lists")
chmod 755 "$work"
apt-get "${options[@]}" update -qq
cd "$work"
apt-get "${options[@]}" -o APT::Sandbox::User=root source -qq --download-only pgvector >/dev/null
tar xf pgvector_*.orig.tar.gz
cd pgvector-*/
# No CPU-specific instructions: the library may be cached and used on another machine.
make -s -j2 OPTFLAGS="" with_llvm=no PG_CONFIG="$config"
make -s install with_llvm=no PG_CONFIG="$config"

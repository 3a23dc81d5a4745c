#!/usr/bin/env bash
# postgres.sh up|down|url [STATE], postgres.sh control STATE ARGUMENTS: a private PostgreSQL for tests, with its own data directory, port and socket.
#
# `control` passes its arguments to pg_ctl, for tests that stop and start the server.
#
# `up` prints the URL to give to the tests as PINAKES_TEST_POSTGRES_URL; `down` stops the server and removes its data.
# STATE (default .state/postgres) remembers where it is. The data is in a temporary folder, since PostgreSQL does not
# run as root and another user may not be able to enter the working copy. Durability is as in production: fsync is on.
set -euo pipefail

usage='usage: scripts/postgres.sh up|down|url [STATE] | control STATE ARGUMENTS'
verb=${1:?$usage}
state=${2:-.state/postgres}

binaries=${PINAKES_TEST_POSTGRES_BIN:-/usr/lib/postgresql/15/bin}
[ -x "$binaries/initdb" ] || binaries=$(pg_config --bindir 2>/dev/null || true)
if [ ! -x "$binaries/initdb" ]; then
  echo 'No PostgreSQL found. Install postgresql-15, or set PINAKES_TEST_POSTGRES_BIN to the folder of initdb.' >&2
  exit 1
fi

owner=()
[ "$(id -u)" -ne 0 ] || owner=(runuser -u postgres --)
as_owner() { (cd / && ${owner[@]+"${owner[@]}"} "$@"); }

up() {
  if [ -f "$state/home" ] && as_owner "$binaries/pg_ctl" status -D "$(cat "$state/home")/data" >/dev/null 2>&1; then
    cat "$state/url"
    return
  fi
  mkdir -p "$state"
  local home port password
  home=$(mktemp -d "${PINAKES_TEST_POSTGRES_FOLDER:-/tmp}/pinakes-postgres.XXXXXX")
  port=${PINAKES_TEST_POSTGRES_PORT:-$(free_port)}
  password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  printf '%s' "$password" >"$home/password"
  [ "$(id -u)" -ne 0 ] || chown -R postgres "$home"
  as_owner "$binaries/initdb" --pgdata="$home/data" --username=pinakes --pwfile="$home/password" \
    --auth=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8 --data-checksums >"$state/initdb.log"
  rm "$home/password"
  as_owner tee -a "$home/data/postgresql.conf" >/dev/null <<CONF
listen_addresses = '127.0.0.1'
port = $port
unix_socket_directories = '$home'
max_connections = 200
shared_buffers = 256MB
max_wal_size = 4GB
fsync = on
synchronous_commit = on
CONF
  printf '%s' "$home" >"$state/home"
  printf 'postgres://pinakes:%s@127.0.0.1:%s/postgres\n' "$password" "$port" >"$state/url"
  chmod 600 "$state/url"
  if ! as_owner "$binaries/pg_ctl" start --wait --silent --pgdata="$home/data" --log="$home/server.log"; then
    cat "$home/server.log" >&2
    exit 1
  fi
  cat "$state/url"
}

down() {
  [ -f "$state/home" ] || return 0
  local home
  home=$(cat "$state/home")
  as_owner "$binaries/pg_ctl" stop --mode=fast --wait --silent --pgdata="$home/data" 2>/dev/null || true
  case "$home" in */pinakes-postgres.*) rm -rf "$home" ;; esac
  rm -rf "$state"
}

control() {
  as_owner "$binaries/pg_ctl" "$@" --pgdata="$(cat "$state/home")/data"
}

free_port() {
  node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

case "$verb" in
  up) up ;;
  down) down ;;
  url) cat "$state/url" ;;
  control) control "${@:3}" ;;
  *) echo "$usage" >&2; exit 2 ;;
esac

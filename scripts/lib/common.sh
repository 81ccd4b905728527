# Sourced by the scripts of this folder: finds the repository, installs what is missing, builds when needed.
# Everything here talks on standard error; standard output belongs to the program that is run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build_dir=${RGTRANS_BUILD_DIR:-$root/build}

say() { printf '%s\n' "$*" >&2; }

missing_packages() {
  local package
  sed 's/#.*//' "$root/scripts/lib/packages.txt" "$@" | while read -r package; do
    [ -n "$package" ] || continue
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
  done
}

# install_packages [LIST-FILE…]: the packages of packages.txt and of further lists.
install_packages() {
  command -v dpkg-query >/dev/null || {
    say "This is not a Debian system; install the packages of scripts/lib/packages.txt by other means."
    return 0
  }
  local missing
  missing=$(missing_packages "$@" | tr '\n' ' ')
  [ -n "${missing// /}" ] || return 0
  local command="apt-get update && apt-get install -y --no-install-recommends $missing"
  local log
  log=$(mktemp)
  say "Installing: $missing"
  if [ "$(id -u)" = 0 ]; then
    DEBIAN_FRONTEND=noninteractive sh -c "$command" >"$log" 2>&1 </dev/null || install_failed "$log" "$command"
  elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    sudo DEBIAN_FRONTEND=noninteractive sh -c "$command" >"$log" 2>&1 || install_failed "$log" "sudo sh -c '$command'"
  else
    rm -f "$log"
    say "These packages are missing and this user cannot install them. As root, run:"
    say "  $command"
    exit 1
  fi
  rm -f "$log"
}

install_failed() {
  tail -n 20 "$1" >&2
  say "The installation failed. The command was:"
  say "  $2"
  rm -f "$1"
  exit 1
}

# True when a source is newer than the last complete build of the target, or more can be built than there is.
stale() {
  local stamp=$build_dir/.built-$1
  [ -f "$stamp" ] || return 0
  # Built without the Python package, whose packages are there now.
  if grep -qs '^RGTRANS_WITH_PYTHON:INTERNAL=OFF' "$build_dir/CMakeCache.txt" && grep -qs '^RGTRANS_PYTHON:STRING=AUTO' "$build_dir/CMakeCache.txt" &&
    dpkg-query -W pybind11-dev python3-dev libdlpack-dev >/dev/null 2>&1; then
    return 0
  fi
  [ -n "$(find "$root/CMakeLists.txt" "$root/cmake" "$root/core" "$root/frontends" "$root/backends" "$root/cli" "$root/tests" \
    "$root/python" "$root/games" "$root/ide" -path '*/node_modules' -prune -o -newer "$stamp" -not -name '*.md' -not -path '*/__pycache__*' -print -quit 2>/dev/null)" ]
}

# build TARGET WHAT [CMAKE-OPTION…]: quiet, with one line of progress on a terminal, which says what is built.
build() {
  local target=$1 what=$2
  shift 2
  mkdir -p "$build_dir"
  exec 9>"$build_dir/.lock"
  flock 9
  if ! stale "$target"; then
    exec 9>&-
    return 0
  fi
  touch "$build_dir/.started-$target"
  local log=$build_dir/build.log
  [ -t 2 ] || say "Building $what (this takes a few minutes the first time) …"
  if ! cmake -S "$root" -B "$build_dir" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@" >"$log" 2>&1 9>&-; then
    tail -n 40 "$log" >&2
    say "Configuring failed; the whole log is $log"
    exit 1
  fi
  if [ -t 2 ]; then
    set -o pipefail
    cmake --build "$build_dir" --target "$target" 2>&1 9>&- | tee -a "$log" |
      while IFS= read -r line; do
        case $line in \[*\]*) printf '\r\033[K%.78s' "Building $what ${line%% *}" >&2 ;; esac
      done
    local status=$?
    printf '\r\033[K' >&2
  else
    local status=0
    cmake --build "$build_dir" --target "$target" >>"$log" 2>&1 9>&- || status=$?
  fi
  if [ "$status" != 0 ]; then
    grep -A 12 -E 'error|FAILED' "$log" | head -n 60 >&2
    say "The build failed; the whole log is $log"
    exit 1
  fi
  mv "$build_dir/.started-$target" "$build_dir/.built-$target"
  exec 9>&-
}

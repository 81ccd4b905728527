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
  local missing lists=("$@")
  missing=$(missing_packages "$@" | tr '\n' ' ')
  [ -n "${missing// /}" ] || return 0
  local command="apt-get update && apt-get install -y --no-install-recommends $missing"
  local log
  log=$(mktemp)
  say "Installing: $missing"
  if [ "$(id -u)" = 0 ]; then
    LC_ALL=C DEBIAN_FRONTEND=noninteractive sh -c "$command" >"$log" 2>&1 </dev/null || install_failed "$log" "$command"
  elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    sudo LC_ALL=C DEBIAN_FRONTEND=noninteractive sh -c "$command" >"$log" 2>&1 || install_failed "$log" "sudo sh -c '$command'"
  else
    rm -f "$log"
    say "These packages are missing and this user cannot install them. As root, run:"
    say "  $command"
    exit 1
  fi
  rm -f "$log"
}

# install_failed LOG COMMAND: names the packages that are missing, the reason and the remedy.
install_failed() {
  tail -n 20 "$1" >&2
  local unknown reason
  unknown=$(sed -nE "s/^E: (Unable to locate package|Package '?)[ ]*([^ ']+).*/\2/p" "$1" | sort -u | tr '\n' ' ')
  if [ -n "$unknown" ]; then
    reason="This system has no package named ${unknown% }. On Ubuntu, 'add-apt-repository universe' may add it; otherwise install it by other means."
  elif grep -qE 'Could not get lock|dpkg was interrupted|is another process using it' "$1"; then
    reason="Another installation is under way or was interrupted. Wait for it, or run 'dpkg --configure -a'; then start this command again."
  elif grep -qE 'No space left|enough free space' "$1"; then
    reason="The disk is full. Make room, for example with 'apt-get clean'; then start this command again."
  elif grep -qE 'Temporary failure resolving|Could not resolve|Could not connect|Failed to fetch|Connection failed' "$1"; then
    reason="The packages cannot be downloaded. Check the network and /etc/apt/sources.list; then start this command again."
  else
    reason="The messages above are those of apt-get. When the command below succeeds, start this one again."
  fi
  say "Not installed: $(missing_packages "${lists[@]}" | tr '\n' ' ')"
  say "$reason"
  say "The command was:"
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

# part_of LINE: the part of the program that a line of ninja is about, for example "front end RBG".
part_of() {
  local name=${1##* }
  case $1 in *CMakeFiles/*.dir*) name=${1#*CMakeFiles/} name=${name%%.dir*} ;; esac
  name=${name##*/}
  name=${name#lib}
  name=${name%.a}
  name=${name#rgtrans_}
  local last=${name#*_}
  case $last in
    cpp) last=C++ ;;
    linegames) last='line games' ;;
    cuda | dot | gdl | hrg | json | rbg | rg) last=$(printf %s "$last" | tr '[:lower:]' '[:upper:]') ;;
    ludax) last=Ludax ;;
    ludii) last=Ludii ;;
  esac
  case $name in
    frontends_*) printf 'front end %s' "$last" ;;
    backends_*) printf 'back end %s' "$last" ;;
    core_*) printf 'core, %s' "$last" ;;
    ide_*) printf 'studio, %s' "$last" ;;
    test_*) printf 'tests of %s' "${name#test_}" ;;
    *) printf '%s' "$name" ;;
  esac
}

# same_match OPTION…: plays a match with these options and without, and compares the results but for their times.
same_match() {
  local match=("$build_dir/rgtrans" match --count 60 --seed 3 --json "$root/games/hrg/tic-tac-toe.hrg" mcts:20 random)
  local found plain
  found=$("${match[@]}" "$@")
  plain=$("${match[@]}")
  diff <(sed 's/"seconds": *[^,}]*//' <<<"$found") <(sed 's/"seconds": *[^,}]*//' <<<"$plain")
  echo "a match: the results are equal"
}

# show_progress PAUSE: reads the lines of ninja, each of which is about a finished part, and shows one of its own:
# "[12/31] front end RBG, 40 s left". On a terminal it replaces that line; elsewhere it writes a line after each pause of
# so many seconds.
show_progress() {
  local line='' done=0 total=0 part='' seconds left pause=$1 begin=$SECONDS said=$SECONDS status text
  while :; do
    status=0
    IFS= read -r -t 1 line || status=$?
    [ "$status" = 0 ] || [ "$status" -gt 128 ] || break  # more than 128: nothing came for a second
    if [ "$status" = 0 ] && [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ (Building|Linking|Generating) ]]; then
      done=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]} part=$(part_of "$line")
    fi
    seconds=$((SECONDS - begin))
    text="the first part is being compiled, $seconds s so far"
    if [ "$done" -gt 0 ]; then
      left=$((seconds * (total - done) / done))
      text="[$done/$total] $part"
      if [ "$seconds" -ge 3 ] && [ "$left" -lt 100 ]; then text+=", $left s left"
      elif [ "$seconds" -ge 3 ]; then text+=", $(((left + 30) / 60)) min left"
      fi
    fi
    if [ -t 2 ]; then
      printf '\r\033[K%.78s' "$text" >&2
    elif [ $((SECONDS - said)) -ge "$pause" ] && [ "$done$seconds" != 00 ]; then
      said=$SECONDS
      say "$text"
    fi
  done
  [ ! -t 2 ] || printf '\r\033[K' >&2
}

# build TARGET WHAT [CMAKE-OPTION…]: quiet, with the progress and, at the end, the errors.
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
  say "Building $what (this takes a few minutes the first time) …"
  if ! cmake -S "$root" -B "$build_dir" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@" >"$log" 2>&1 9>&-; then
    tail -n 40 "$log" >&2
    say "Configuring failed; the whole log is $log"
    exit 1
  fi
  local status=0
  (
    set -o pipefail
    cmake --build "$build_dir" --target "$target" 2>&1 9>&- | tee -a "$log" | show_progress 20
  ) || status=$?
  if [ "$status" != 0 ]; then
    grep -A 12 -E 'error|FAILED' "$log" | head -n 60 >&2
    say "The build failed; the whole log is $log"
    exit 1
  fi
  mv "$build_dir/.started-$target" "$build_dir/.built-$target"
  exec 9>&-
}

#!/usr/bin/env bash
# The configuration of docs/editors.md in Kate, without a screen: in the end the server was started and has told Kate of
# the mistake in a game. What both say to each other is kept by a program between them.
set -euo pipefail
home=$(mktemp -d)
trap 'sleep 0.5; rm -rf "$home" || true' EXIT
between="$home/bin/rgtrans"
mkdir -p "$home/bin" "$home/run" "$home/.config/kate/lspclient" "$home/.local/share/kate" \
  "$home/.local/share/org.kde.syntax-highlighting/syntax"
chmod 700 "$home/run"

# The first block of a kind behind the title "Kate".
block() { awk -v kind='```'"$1" '/^## /{kate = /^## Kate/} /^```$/{inside = 0} inside; kate && $0 == kind{inside = 1}' "$RGTRANS_SOURCE/docs/editors.md"; }
block json >"$home/.config/kate/lspclient/settings.json"
block xml >"$home/.local/share/org.kde.syntax-highlighting/syntax/hrg.xml"
# What a person says once: the plugin is on, and this program may be started.
printf '[Kate Plugins]\nlspclientplugin=true\n' >"$home/.local/share/kate/anonymous.katesession"
printf '[lspclient]\nAllowedServerCommandLines=%s lsp\n' "$between" >"$home/.config/katerc"
printf '#!/bin/sh\ntee -a "%s/said" | "%s" "$@" | tee -a "%s/heard"\n' "$home" "$RGTRANS" "$home" >"$between"
chmod +x "$between"
printf 'domain Player = a | b\ndomain Score = 0 | 1\nturns : Plyer\ngraph rules() { player = a end() }\n' >"$home/game.hrg"

export HOME=$home XDG_RUNTIME_DIR=$home/run PATH=$home/bin:$PATH QT_QPA_PLATFORM=offscreen
unset XDG_CONFIG_HOME XDG_DATA_HOME
session=()
if command -v dbus-run-session >/dev/null; then session=(dbus-run-session); fi
timeout 100 "${session[@]}" kate -n -b "$home/game.hrg" >"$home/log" 2>&1 &
kate=$!
well=
for _ in $(seq 300); do
  if grep -q 'Plyer' "$home/heard" 2>/dev/null && grep -q publishDiagnostics "$home/heard"; then
    well=yes
    break
  fi
  kill -0 "$kate" 2>/dev/null || break
  sleep 0.2
done
kill "$kate" 2>/dev/null || true
wait "$kate" 2>/dev/null || true
if [ -z "$well" ]; then
  echo "FAILED: Kate heard of no mistake"
  cat "$home/said" "$home/heard" 2>/dev/null | head -c 2000
  tail -n 5 "$home/log"
  exit 1
fi
echo "kate: all well"

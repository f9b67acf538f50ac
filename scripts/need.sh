# What ./install and ./test share: saying what happens, and installing what is missing.
# To be sourced, with `program` set to the name that messages begin with.

say() { printf '\n== %s\n' "$*"; }
fail() { printf '%s: %s\n' "$program" "$*" >&2; exit 1; }

missing=()

# A command, and the Debian package that has it.
need() {
  command -v "$1" >/dev/null 2>&1 || missing+=("$2")
}

need_rust() {
  command -v cargo >/dev/null 2>&1 ||
    fail "cargo is missing: install Rust $(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml) or newer"
}

# A C compiler, and the C library to link statically.
need_cc() {
  need cc gcc
  if command -v apt-get >/dev/null 2>&1 && ! [ -e "$(cc -print-file-name=libc.a 2>/dev/null)" ]; then
    missing+=(libc6-dev)
  fi
}

install_missing() {
  [ ${#missing[@]} -eq 0 ] && return
  local as_root=()
  command -v apt-get >/dev/null 2>&1 || fail "please install: ${missing[*]} (names of Debian packages)"
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || fail "please install as root: ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
}

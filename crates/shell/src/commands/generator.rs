//! Tools that print settings for a shell, made to be evaluated: `eval "$(ssh-agent -s)"`.

use crate::run::{Call, Runner};
use crate::stream::Stream;

pub(super) const NAMES: &[&str] = &[
    "ssh-agent",
    "pyenv",
    "rbenv",
    "nodenv",
    "jenv",
    "goenv",
    "zoxide",
    "starship",
    "fnm",
    "opam",
    "dircolors",
    "keychain",
    "thefuck",
    "atuin",
    "fzf",
    "mcfly",
    "minikube",
    "docker-machine",
    "tput",
    "locale",
    "register-python-argcomplete",
    "rustup",
    "activate",
    "gpg-agent",
    "gnome-keyring-daemon",
    "luarocks",
    "lesspipe",
    "carapace",
    "oh-my-posh",
    "hcloud",
];

pub(super) fn run(_: &mut Runner<'_>, _: &Call) -> Stream {
    Stream::Nothing
}

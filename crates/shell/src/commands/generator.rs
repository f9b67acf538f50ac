//! Tools that print settings for a shell, made to be evaluated: `eval "$(starship init bash)"`.

use crate::program::{Does, Program, nothing, program};

pub(super) const PROGRAMS: &[Program] = &[
    program("opam", "", nothing).does(&[Does::Publish("publish")]),
    program(
        "zoxide starship gimme dircolors keychain thefuck \
     atuin fzf mcfly docker-machine tput locale register-python-argcomplete \
     activate gpg-agent gnome-keyring-daemon lesspipe carapace oh-my-posh",
        "",
        nothing,
    )
    .prints(),
];

//! Files that run by themselves: when a shell starts, at login, when git or an editor is used.
//!
//! A line that only sets a path, a variable or an alias is what people add every day; anything else is asked about.

use std::path::Path;

use super::paths;

/// How the lines of a file are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lines {
    Shell,
    Vim,
    /// Settings of git.
    Git,
    /// Settings of ssh.
    Ssh,
    /// Every line counts.
    All,
}

/// Files and folders of the home. What ends with `/` stands for all that is in it.
const FILES: &[(&str, Lines)] = &[
    (".bashrc", Lines::Shell),
    (".bash_profile", Lines::Shell),
    (".bash_login", Lines::Shell),
    (".bash_logout", Lines::Shell),
    (".bash_aliases", Lines::Shell),
    (".bashrc.d/", Lines::Shell),
    (".profile", Lines::Shell),
    (".zshrc", Lines::Shell),
    (".zshenv", Lines::Shell),
    (".zprofile", Lines::Shell),
    (".zlogin", Lines::Shell),
    (".zlogout", Lines::Shell),
    (".config/zsh/", Lines::Shell),
    (".kshrc", Lines::Shell),
    (".xprofile", Lines::Shell),
    (".xinitrc", Lines::Shell),
    (".xsession", Lines::Shell),
    (".xsessionrc", Lines::Shell),
    (".config/fish/config.fish", Lines::Shell),
    (".config/fish/conf.d/", Lines::Shell),
    (".config/fish/functions/", Lines::All),
    (".config/environment.d/", Lines::Shell),
    (".config/plasma-workspace/env/", Lines::Shell),
    (".pam_environment", Lines::All),
    (".vimrc", Lines::Vim),
    (".gvimrc", Lines::Vim),
    (".vim/vimrc", Lines::Vim),
    (".vim/plugin/", Lines::All),
    (".config/nvim/init.vim", Lines::Vim),
    (".config/nvim/init.lua", Lines::All),
    (".config/nvim/plugin/", Lines::All),
    (".emacs", Lines::All),
    (".emacs.d/init.el", Lines::All),
    (".config/autostart/", Lines::All),
    (".config/systemd/user/", Lines::All),
    (".local/share/systemd/user/", Lines::All),
    ("Library/LaunchAgents/", Lines::All),
    (".ssh/rc", Lines::All),
    (".ssh/authorized_keys", Lines::All),
    (".ssh/authorized_keys2", Lines::All),
    (".ssh/environment", Lines::All),
    (".ssh/config", Lines::Ssh),
    (".gitconfig", Lines::Git),
    (".config/git/config", Lines::Git),
    (".gdbinit", Lines::All),
    (".direnvrc", Lines::All),
    (".config/direnv/direnvrc", Lines::All),
    (".tmux.conf", Lines::All),
    (".config/tmux/tmux.conf", Lines::All),
];

/// Variables that make programs run something, or look for things elsewhere.
const RISKY: &[&str] = &[
    "BASH_ENV",
    "ENV",
    "PROMPT_COMMAND",
    "PS0",
    "PS4",
    "HOME",
    "ZDOTDIR",
    "FPATH",
    "AI_AGENT",
    "XDG_CONFIG_HOME",
    "XDG_STATE_HOME",
    "NODE_OPTIONS",
    "PYTHONSTARTUP",
    "PYTHONPATH",
    "PERL5OPT",
    "PERL5LIB",
    "RUBYOPT",
    "RUBYLIB",
];
const RISKY_STARTS: &[&str] = &["LD_", "DYLD_", "GIT_", "CLAUDE", "BELLWETHER"];
/// Programs that nobody should meet under another meaning.
const PROGRAMS: &[&str] = &[
    "claude",
    "bellwether",
    "bellwether-hook",
    "sudo",
    "su",
    "ssh",
    "command",
];
/// Settings of git that are commands, or lead to some.
const GIT_KEYS: &[&str] = &[
    "hookspath",
    "fsmonitor",
    "sshcommand",
    "askpass",
    "gitproxy",
    "external",
    "textconv",
    "clean",
    "smudge",
    "process",
    "driver",
    "path",
];
const SSH_KEYS: &[&str] = &[
    "proxycommand",
    "localcommand",
    "permitlocalcommand",
    "knownhostscommand",
    "match",
    "include",
];

/// Whether a path is such a file.
pub(super) fn is_one(path: &Path, user: Option<&Path>) -> bool {
    lines(path, user).is_some()
}

fn lines(path: &Path, user: Option<&Path>) -> Option<Lines> {
    let user = user?;
    paths::is_below(path, user).then_some(())?;
    let parts = paths::parts(path);
    let below = parts[paths::parts(user).len()..].join("/");
    let found = FILES.iter().find(|(file, _)| {
        let file = file.to_lowercase();
        below == file || (file.ends_with('/') && below.starts_with(&file))
    });
    found.map(|(_, lines)| *lines)
}

/// The first line that a change adds and that is more than plain; `None` when there is nothing to ask.
pub(super) fn unusual(
    path: &Path,
    user: Option<&Path>,
    before: &str,
    after: &str,
) -> Option<String> {
    let lines = lines(path, user)?;
    let known: Vec<&str> = before.lines().map(str::trim).collect();
    let added = after.lines().map(str::trim);
    let mut added = added.filter(|line| !line.is_empty() && !known.contains(line));
    added.find(|line| !is_plain(line, lines)).map(str::to_owned)
}

fn is_plain(line: &str, lines: Lines) -> bool {
    match lines {
        Lines::Shell => line.starts_with('#') || is_setting(line) || is_alias(line),
        Lines::Vim => {
            let word = line.split([' ', '=']).next().unwrap_or_default();
            line.starts_with('"')
                || ["set", "setlocal", "syntax", "colorscheme", "filetype"].contains(&word)
                    && !line.contains(['|', '!', '`', '('])
        }
        Lines::Git => is_plain_of_git(line),
        Lines::Ssh => {
            let key = line.split([' ', '=', '\t']).next().unwrap_or_default();
            !SSH_KEYS.contains(&key.to_lowercase().as_str())
        }
        Lines::All => false,
    }
}

/// `export NAME=value`, `NAME=value`, `set -gx NAME value`, `fish_add_path folder`.
fn is_setting(line: &str) -> bool {
    if let Some(folder) = line.strip_prefix("fish_add_path ") {
        return is_plain_value("PATH", folder);
    }
    let rest = ["export ", "typeset -x ", "declare -x "]
        .iter()
        .find_map(|start| line.strip_prefix(start));
    let fish = ["set -gx ", "set -Ux ", "set -x "]
        .iter()
        .find_map(|start| line.strip_prefix(start));
    let pair = match fish {
        Some(rest) => rest.split_once(' '),
        None => rest.unwrap_or(line).split_once('='),
    };
    match pair {
        Some((name, value)) => {
            is_plain_name(name.trim_end_matches('+')) && is_plain_value(name, value)
        }
        None => rest.is_some_and(is_plain_name),
    }
}

fn is_plain_name(name: &str) -> bool {
    let is_name = !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name && !RISKY.contains(&name) && !RISKY_STARTS.iter().any(|start| name.starts_with(start))
}

/// A value that runs nothing. Programs are not looked for where anybody may write.
fn is_plain_value(name: &str, value: &str) -> bool {
    let value = value.split(" #").next().unwrap_or(value).trim();
    let runs = value.contains(['`', ';', '&', '|', '<', '>']) || value.contains("$(");
    let opens = name == "PATH"
        && value
            .trim_matches(['"', '\''])
            .split([':', ' '])
            .any(|folder| {
                folder == "." || folder.starts_with("/tmp") || folder.starts_with("/var/tmp")
            });
    !runs && !opens
}

/// An alias runs only when it is typed, unless it takes the name of a program that must mean itself.
fn is_alias(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("alias ") else {
        return false;
    };
    let (name, value) = rest.split_once(['=', ' ']).unwrap_or((rest, ""));
    let quoted = value.trim().starts_with(['\'', '"']) || !value.contains([';', '&', '|', '`']);
    let names_us = value.contains("bellwether") || value.contains("disableAllHooks");
    quoted
        && !names_us
        && !value.contains("$(")
        && !PROGRAMS.contains(&name.trim_start_matches("-g ").trim())
}

fn is_plain_of_git(line: &str) -> bool {
    if line.starts_with(['#', ';']) {
        return true;
    }
    if line.starts_with('[') {
        return !line.to_lowercase().starts_with("[include");
    }
    let (key, value) = line.split_once('=').unwrap_or((line, ""));
    let key = key.trim().to_lowercase();
    let value = value.trim().trim_start_matches('"');
    !GIT_KEYS.contains(&key.as_str()) && !value.starts_with('!') && !value.contains([';', '|', '`'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(file: &str, text: &str) -> bool {
        let user = Path::new("/home/ann");
        unusual(
            &user.join(file),
            Some(user),
            "old line\n",
            &format!("old line\n{text}\n"),
        )
        .is_some()
    }

    #[test]
    fn plain_lines_are_free_and_others_are_told() {
        for (file, line, expected) in [
            (".bashrc", "export PATH=$HOME/.x/bin:$PATH", false),
            (".bashrc", "export PATH=\"$PATH:/opt/x\" # added", false),
            (".bashrc", "# a comment", false),
            (".bashrc", "EDITOR=vim", false),
            (".bashrc", "alias ll='ls -la'", false),
            (".zshenv", "alias gs='git status && git stash list'", false),
            (".config/fish/config.fish", "set -gx GOPATH $HOME/go", false),
            (".bashrc", "export PATH=/tmp/x:$PATH", true),
            (".bashrc", "export BASH_ENV=~/.x", true),
            (".bashrc", "PROMPT_COMMAND=evil", true),
            (".bashrc", "export LD_PRELOAD=/tmp/x.so", true),
            (".bashrc", "alias claude='claude --bare'", true),
            (".bashrc", "export X=$(curl -s x)", true),
            (".bashrc", "source ~/.x", true),
            (".bashrc", "unset CLAUDECODE", true),
            (".vimrc", "set number", false),
            (".vimrc", "autocmd VimEnter * !rm x", true),
            (".gitconfig", "name = Ann", false),
            (".gitconfig", "hooksPath = /tmp/h", true),
            (".gitconfig", "x = !rm -rf ~", true),
            (".ssh/config", "HostName example.org", false),
            (".ssh/config", "ProxyCommand nc %h %p", true),
            (".ssh/authorized_keys", "ssh-ed25519 AAAA ann", true),
            (".config/autostart/x.desktop", "[Desktop Entry]", true),
            (".config/systemd/user/x.service", "[Service]", true),
            (".config/app/settings", "run = all", false),
        ] {
            assert_eq!(asked(file, line), expected, "{file}: {line}");
        }
    }

    #[test]
    fn only_files_of_the_home_are_meant() {
        let user = Path::new("/home/ann");
        assert!(is_one(Path::new("/home/ann/.bashrc"), Some(user)));
        assert!(!is_one(Path::new("/home/ann/app/.bashrc"), Some(user)));
        assert!(!is_one(Path::new("/home/ann/.bashrc"), None));
    }
}

//! Programs that stop the machine, end everybody's processes, or take accounts and logs away.

use crate::effect::Effect;
use crate::run::{Call, Runner, Spec};
use crate::stream::Stream;
use crate::text::Text;

pub(super) const NAMES: &[&str] = &[
    "shutdown",
    "reboot",
    "halt",
    "poweroff",
    "init",
    "telinit",
    "systemctl",
    "kill",
    "killall",
    "pkill",
    "killall5",
    "userdel",
    "deluser",
    "groupdel",
    "passwd",
    "iptables",
    "ip6tables",
    "nft",
    "ufw",
    "history",
    "journalctl",
    "launchctl",
    "apt",
    "apt-get",
    "dpkg",
    "dnf",
    "yum",
    "pacman",
    "brew",
    "umount",
    "swapoff",
    "sysctl",
    "modprobe",
    "rmmod",
    "csrutil",
    "nvram",
    "tmutil",
];

pub(super) fn run(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let arguments = call.arguments(&Spec {
        letters: if call.name == "kill" { "s" } else { "u" },
        words: &[],
        stops: false,
    });
    if arguments.has(&["--help", "--version"]) {
        return Stream::Nothing;
    }
    let operands: Vec<String> = arguments.operands.iter().map(Text::shown).collect();
    let words: Vec<&str> = operands.iter().map(String::as_str).collect();
    if let Some(what) = what(call, &arguments, &words) {
        runner.note(
            Effect::System {
                what: what.to_owned(),
            },
            call,
        );
    }
    if let Some(what) = super::own::ended(&call.name, &words) {
        runner.note(Effect::Own { what }, call);
    }
    Stream::Unknown(call.shown())
}

fn what(call: &Call, arguments: &crate::run::Arguments, words: &[&str]) -> Option<&'static str> {
    let has = |names: &[&str]| arguments.has(names);
    Some(match call.name.as_str() {
        "shutdown" if has(&["c", "k"]) => return None,
        "shutdown" | "reboot" | "halt" | "poweroff" => {
            "the machine is stopped, with everything that runs on it"
        }
        "init" | "telinit" if matches!(words, ["0" | "1" | "6", ..]) => {
            "the machine is stopped, with everything that runs on it"
        }
        "systemctl"
            if matches!(
                words,
                [
                    "poweroff"
                        | "reboot"
                        | "halt"
                        | "kexec"
                        | "emergency"
                        | "rescue"
                        | "soft-reboot",
                    ..
                ]
            ) =>
        {
            "the machine is stopped, with everything that runs on it"
        }
        "kill" if is_everyone(call) => "every process of this person is ended",
        "kill" if words.contains(&"1") => "the first process of this machine is ended",
        "killall5" => "every process of this person is ended",
        "pkill" | "killall" if has(&["u", "U", "--euid"]) || matches!(words, ["." | ".*" | ""]) => {
            "every process of this person is ended"
        }
        "userdel" | "deluser" | "groupdel" => "an account is removed",
        "passwd" if has(&["d", "l", "--delete", "--lock"]) => "an account is locked or left open",
        "iptables" | "ip6tables" if has(&["F", "--flush", "X"]) => "the firewall's rules are gone",
        "nft" if matches!(words, ["flush", ..]) => "the firewall's rules are gone",
        "ufw" if matches!(words, ["disable" | "reset", ..]) => "the firewall is off",
        "apt" | "apt-get" | "dpkg" | "dnf" | "yum" | "pacman" if removes_base(words, arguments) => {
            "packages that the system stands on are removed"
        }
        "csrutil" if matches!(words, ["disable", ..]) => "the system's own protection is off",
        "nvram" if has(&["c"]) => "the machine's firmware settings are gone",
        "tmutil" if matches!(words, ["delete" | "deletelocalsnapshots" | "disable", ..]) => {
            "backups are gone"
        }
        _ => return None,
    })
}

/// `kill -9 -1`.
fn is_everyone(call: &Call) -> bool {
    let mut words = call.words.iter().map(Text::shown);
    let signal = words.next().is_some_and(|first| first.starts_with('-'));
    signal && call.words.iter().skip(1).any(|word| word.is("-1"))
        || call.words.first().is_some_and(|word| word.is("--"))
            && call.words.iter().any(|word| word.is("-1"))
}

fn removes_base(words: &[&str], arguments: &crate::run::Arguments) -> bool {
    let removes = matches!(
        words.first(),
        Some(&("remove" | "purge" | "autoremove" | "erase"))
    ) || arguments.has(&["r", "P", "--remove", "--purge", "R"]);
    let base = [
        "libc6",
        "glibc",
        "bash",
        "coreutils",
        "systemd",
        "sudo",
        "linux-image",
        "apt",
        "dpkg",
        "init",
        "python3-minimal",
    ];
    removes
        && (words.iter().any(|word| base.contains(word))
            || arguments.has(&[
                "--force-all",
                "--force-remove-essential",
                "--allow-remove-essential",
            ]))
}

//! Programs that stop the machine, end everybody's processes, or take accounts and logs away.

use crate::effect::Effect;
use crate::options::Options;
use crate::program::{Does, Program, program, unknown};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::Text;

const STOPPED: &str = "the machine is stopped, with everything that runs on it";
const EVERYONE: &str = "every process of this person is ended";
const UNFIRED: &str = "the firewall's rules are gone";
const DAEMON: Does = Does::Own("its daemon", "..*bellwether*");

/// A row: names, options, and what is done to the machine.
macro_rules! row {
    ($names:literal, $options:literal, $does:expr) => {
        program($names, concat!("help version ", $options), unknown)
            .idle("--help; --version")
            .does(&$does)
    };
}

pub(super) const PROGRAMS: &[Program] = &[
    row!("shutdown", "c k", [Does::System(STOPPED, "!-c !-k")]),
    row!("reboot halt poweroff", "", [Does::System(STOPPED, "")]),
    row!("init telinit", "", [Does::System(STOPPED, "0|1|6")]),
    row!(
        "systemctl",
        "",
        [
            Does::System(
                STOPPED,
                "poweroff|reboot|halt|kexec|emergency|rescue|soft-reboot"
            ),
            DAEMON
        ]
    ),
    program("kill", "s= help version", killed)
        .idle("--help; --version")
        .does(&[
            Does::System("the first process of this machine is ended", "..1"),
            DAEMON,
        ]),
    row!("killall5", "", [Does::System(EVERYONE, "")]),
    row!(
        "killall pkill",
        "u|U|euid=",
        [Does::System(EVERYONE, "--euid; .|.\\*|"), DAEMON]
    ),
    row!("launchctl", "", [DAEMON]),
    row!(
        "userdel deluser groupdel",
        "",
        [Does::System("an account is removed", "")]
    ),
    row!(
        "passwd",
        "d|delete l|lock",
        [Does::System(
            "an account is locked or left open",
            "--delete; --lock"
        )]
    ),
    row!(
        "iptables ip6tables",
        "F|X|flush",
        [Does::System(UNFIRED, "--flush")]
    ),
    row!("nft", "", [Does::System(UNFIRED, "flush")]),
    row!(
        "ufw",
        "",
        [Does::System("the firewall is off", "disable|reset")]
    ),
    row!(
        "apt apt-get dpkg dnf yum pacman",
        "r|P|R|remove|purge force-all|force-remove-essential|allow-remove-essential",
        [
            Does::System(
                BASE,
                "remove|purge|autoremove|erase ..libc6|glibc|bash|coreutils|systemd|sudo|linux-image|apt|dpkg|init|python3-minimal"
            ),
            Does::System(
                BASE,
                "--remove ..libc6|glibc|bash|coreutils|systemd|sudo|linux-image|apt|dpkg|init|python3-minimal"
            ),
            Does::System(
                BASE,
                "remove|purge|autoremove|erase --force-all; --remove --force-all"
            ),
        ]
    ),
    row!(
        "csrutil",
        "",
        [Does::System(
            "the system's own protection is off",
            "disable"
        )]
    ),
    row!(
        "nvram",
        "c",
        [Does::System(
            "the machine's firmware settings are gone",
            "-c"
        )]
    ),
    row!(
        "tmutil",
        "",
        [Does::System(
            "backups are gone",
            "delete|deletelocalsnapshots|disable"
        )]
    ),
    row!(
        "history journalctl brew umount swapoff sysctl modprobe rmmod",
        "",
        []
    ),
];

const BASE: &str = "packages that the system stands on are removed";

/// `kill -9 -1` ends everybody.
fn killed(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    let first = call.words.first().map(Text::lead).unwrap_or_default();
    let targets = call.words.iter().skip(1);
    if first.starts_with('-') && targets.into_iter().any(|word| word.is("-1")) {
        let what = EVERYONE.to_owned();
        runner.note(Effect::System { what }, call);
    }
    Stream::Unknown(call.shown())
}

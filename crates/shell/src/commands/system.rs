//! Programs that stop the machine, end everybody's processes, or take accounts and logs away.

use crate::effect::Effect;
use crate::options::Options;
use crate::program::{Does, Program, program, unknown};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::Text;

const STOPPED: &str = "the machine is stopped, with everything that runs on it";
const SERVICE: &str = "a service that others may need is stopped";
const UNSTARTABLE: &str = "the machine may not start any more";
const KEYS: &str = "keys or passwords of the person are gone";
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
                "poweroff|reboot|halt|kexec|emergency|rescue|soft-reboot|suspend|hibernate|hybrid-sleep; \
                 isolate|start poweroff*|reboot*|halt*|kexec*|emergency*|rescue*|shutdown*|suspend*|runlevel0*|runlevel1*|runlevel6*"
            ),
            Does::System(EVERYONE, "kill ..user.slice|user-*.slice|*.slice|init.scope"),
            Does::System(SERVICE, "mask; stop|disable|kill ..sshd|sshd.service|ssh|ssh.service|docker|docker.service|networking|networkmanager|systemd-*|dbus|dbus.service|postgresql|postgresql*|mysql|mysqld|mariadb|mongod|firewalld"),
            DAEMON
        ]
    ),
    program("kill", "s= help version", killed)
        .idle("--help; --version")
        .does(&[
            Does::System("the first process of this machine is ended", "..1"),
            DAEMON,
        ]),
    row!(
        "loginctl",
        "",
        [
            Does::System(STOPPED, "poweroff|reboot|halt|suspend|hibernate"),
            Does::System(EVERYONE, "terminate-user|kill-user|terminate-session|kill-session|terminate-seat")
        ]
    ),
    row!(
        "dbus-send busctl gdbus",
        "",
        [Does::System(
            STOPPED,
            "..*poweroff|*.reboot|reboot|*.suspend|*.halt"
        )]
    ),
    row!("killall5", "", [Does::System(EVERYONE, "")]),
    program(
        "killall pkill",
        "help version u|U|euid= f|full g|G|P|s|t|F|signal|pidfile|ns|nslist|terminal|parent|group=",
        by_name,
    )
    .idle("--help; --version")
    .does(&[Does::System(EVERYONE, "--euid; .|.\\*|"), DAEMON]),
    program("fuser", "k|kill n|namespace= s|signal=", fuser),
    program(
        "mount mount.fuse fuse-overlayfs bindfs sshfs encfs gocryptfs unionfs squashfuse fusermount",
        "B|bind M|move rbind t|types= o|options= u l help version",
        mounted,
    )
    .idle("--help; --version; -l"),
    row!("launchctl", "", [DAEMON, Does::System("a service of the system is gone", "bootout|remove|disable")]),
    row!("skill snice", "u|user=", [DAEMON, Does::System(EVERYONE, "--user")]),
    row!("dscl sysadminctl", "delete|-delete deleteuser|-deleteuser", [Does::System("an account is removed", "--delete; --deleteuser")]),
    row!("ip", "", [Does::System("the machine is cut off", "link set|delete|del ..down; link delete|del; route flush|del; addr|address flush; a flush")]),
    row!("ifconfig", "", [Does::System("the machine is cut off", "* down")]),
    row!("ifdown", "", [Does::System("the machine is cut off", "")]),
    row!("nmcli", "", [Does::System("the machine is cut off", "networking|radio off; con|connection|c delete|down")]),
    row!("grub-install", "", [Does::System(UNSTARTABLE, "")]),
    row!("efibootmgr", "B|delete-bootnum b=", [Does::System(UNSTARTABLE, "--delete-bootnum")]),
    row!("update-initramfs", "d c u k=", [Does::System(UNSTARTABLE, "-d")]),
    row!("rpm", "e|erase nodeps force q|query", [Does::System(BASE, "--erase --nodeps; --erase ..glibc|bash|coreutils|systemd|kernel|rpm|dnf")]),
    row!("gpg gpg2", "delete-keys|delete-key delete-secret-keys|delete-secret-key|delete-secret-and-public-key|delete-secret-and-public-keys", [Does::System(KEYS, "--delete-secret-keys; --delete-keys")]),
    row!("security", "", [Does::System(KEYS, "delete-*")]),
    row!("secret-tool", "", [Does::System(KEYS, "clear")]),
    row!("gsettings", "", [Does::System("settings of the desktop are gone", "reset-recursively")]),
    row!("dconf", "f", [Does::System("settings of the desktop are gone", "reset -f")]),
    row!("defaults", "", [Does::System("settings of programs are gone", "delete")]),
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
        "apt apt-get dpkg dnf yum pacman zypper apk",
        "r|P|R|remove|purge force-all|force-remove-essential|allow-remove-essential",
        [
            Does::System(
                BASE,
                "remove|purge|autoremove|erase ..\\*|kernel|kernel-*|libc6|glibc|musl|bash|coreutils|systemd|sudo|linux-image|apt|dpkg|init|python3-minimal"
            ),
            Does::System(
                BASE,
                "--remove ..\\*|kernel|kernel-*|libc6|glibc|musl|bash|coreutils|systemd|sudo|linux-image|apt|dpkg|init|python3-minimal"
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
        "brew",
        "force ignore-dependencies zap",
        [Does::System(
            "programs that others need are removed",
            "uninstall|remove|rm --ignore-dependencies; uninstall --zap"
        )]
    ),
    row!("rmmod", "f|force", [Does::System("a part of the kernel is taken out", "--force")]),
    row!(
        "history journalctl umount swapoff sysctl modprobe",
        "",
        []
    ),
];

const BASE: &str = "packages that the system stands on are removed";

/// What our programs are called, and how the daemon's line begins.
const OURS: [&str; 3] = ["bellwether", "bellwether-hook", "bellwether daemon"];
/// A shorter pattern says nothing about us.
const TELLING: usize = 3;

/// `pkill PATTERN`: it may fit our daemon without naming it.
fn by_name(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let patterns = options.operands.iter().filter_map(Text::literal);
    if patterns
        .into_iter()
        .any(|pattern| is_pattern_of_ours(&pattern))
    {
        let what = "its daemon".to_owned();
        runner.note(Effect::Own { what }, call);
    }
    Stream::Unknown(call.shown())
}

/// Whether a regular expression, as people write them for names, fits a name of ours.
fn is_pattern_of_ours(pattern: &str) -> bool {
    let pattern = pattern.trim_matches(['(', ')']);
    pattern.split('|').any(|pattern| {
        let says = pattern.chars().filter(|char| char.is_alphanumeric());
        if says.count() < TELLING {
            return false;
        }
        let (start, end) = (pattern.strip_prefix('^'), pattern.strip_suffix('$'));
        let body = pattern.trim_start_matches('^').trim_end_matches('$');
        let body = body
            .replace(".*", "*")
            .replace(".+", "?*")
            .replace('.', "?");
        let before = if start.is_some() { "" } else { "*" };
        let after = if end.is_some() { "" } else { "*" };
        let glob = format!("{before}{body}{after}");
        OURS.iter()
            .any(|name| crate::matching::matches(&glob, name))
    })
}

/// `fuser -k FILE` ends whoever has a file open.
fn fuser(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if options.has("kill") && !options.has("namespace") {
        runner.displace(&options.operands, "ends what uses", call);
    }
    let mut operands = options.operands.iter().map(Text::shown);
    if options.has("kill") && operands.any(|operand| names_us(runner, &operand)) {
        let what = "its daemon".to_owned();
        runner.note(Effect::Own { what }, call);
    }
    Stream::Unknown(call.shown())
}

/// Whether a text has the beginning of our name in it, or our port as a number.
fn names_us(runner: &Runner<'_>, text: &str) -> bool {
    let port = runner.world.port().map(|port| port.to_string());
    let mut numbers = text.split(|character: char| !character.is_ascii_digit());
    text.contains("bellw") || port.is_some_and(|port| numbers.any(|number| number == port))
}

/// What is mounted covers what is there.
fn mounted(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if let [_, .., point] = options.operands.as_slice() {
        runner.displace(std::slice::from_ref(point), "covers", call);
    }
    Stream::Unknown(call.shown())
}

/// A call that takes hold of processes by their numbers: one may be that of our daemon.
pub(super) fn note_our_process(runner: &mut Runner<'_>, call: &Call, operands: &[Text]) {
    let words = call.words.iter().chain(operands);
    let numbers = words.filter_map(|word| {
        let word = word.known()?;
        let number = word.trim().rsplit(['=', 'p', '-']).next()?;
        number.parse().ok()
    });
    let ours = |number: u32| {
        let name = (number > 1).then(|| runner.world.process(number)).flatten();
        name.is_some_and(|name| name.starts_with("bellwether"))
    };
    // Numbers that are not known yet are looked for by name or port.
    let sought = call.words.iter().any(|word| word.known().is_none());
    let sought = sought && names_us(runner, runner.whole());
    if numbers.into_iter().any(ours) || sought {
        let what = "its daemon".to_owned();
        runner.note(Effect::Own { what }, call);
    }
}

/// `kill -9 -1` ends everybody; a number may be that of our daemon.
fn killed(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    note_our_process(runner, call, &options.operands);
    let first = call.words.first().map(Text::lead).unwrap_or_default();
    let targets = call.words.iter().skip(1);
    if first.starts_with('-') && targets.into_iter().any(|word| word.is("-1")) {
        let what = EVERYONE.to_owned();
        runner.note(Effect::System { what }, call);
    }
    Stream::Unknown(call.shown())
}

//! Programs that write or destroy disks, partitions and volumes as a whole.

use crate::effect::Effect;
use crate::run::{Call, Runner, Spec};
use crate::stream::Stream;
use crate::target::{Place, Target};
use crate::text::Text;

pub(crate) const NAMES: &[&str] = &[
    "mkfs",
    "mke2fs",
    "mkswap",
    "wipefs",
    "blkdiscard",
    "fdisk",
    "sfdisk",
    "cfdisk",
    "gdisk",
    "sgdisk",
    "parted",
    "badblocks",
    "hdparm",
    "nvme",
    "cryptsetup",
    "lvremove",
    "vgremove",
    "pvremove",
    "lvm",
    "zpool",
    "zfs",
    "mdadm",
    "diskutil",
    "format",
    "dmsetup",
    "btrfs",
    "losetup",
    "fsck",
    "mkntfs",
    "mkdosfs",
];

pub(super) fn run(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let arguments = call.arguments(&Spec {
        letters: "tLUb",
        words: &["--type", "--label", "--uuid", "--reportformat"],
        stops: false,
    });
    if arguments.has(&[
        "--help",
        "--version",
        "--no-act",
        "--test",
        "--dry-run",
        "--list",
    ]) {
        return Stream::Nothing;
    }
    let operands = arguments.operands.as_slice();
    let destroys = match call.name.as_str() {
        "wipefs" => arguments.has(&["a", "--all", "o", "--offset"]),
        "parted" => {
            !arguments.has(&["l", "--list"]) && !names(operands, &["print"]) && operands.len() > 1
        }
        "fdisk" | "cfdisk" | "gdisk" | "sgdisk" | "sfdisk" => {
            let only_shows = [
                "l",
                "--list",
                "p",
                "d",
                "--dump",
                "V",
                "--verify",
                "n",
                "s",
                "--show-size",
            ];
            !arguments.has(&only_shows)
                || arguments.has(&["--delete", "Z", "--zap-all", "o", "--clear"])
        }
        "badblocks" => arguments.has(&["w"]),
        "hdparm" => arguments
            .options
            .iter()
            .any(|(option, _)| option.contains("security-erase") || option.contains("trim")),
        "nvme" => names(operands, &["format", "sanitize"]),
        "cryptsetup" => names(operands, &["luksFormat", "erase", "luksErase", "reencrypt"]),
        "lvm" => names(operands, &["lvremove", "vgremove", "pvremove"]),
        "zpool" | "zfs" => names(operands, &["destroy", "labelclear", "rollback"]),
        "mdadm" => arguments.has(&["--zero-superblock", "--stop", "S", "--create", "C"]),
        "diskutil" => {
            let verb = operands
                .first()
                .map(Text::shown)
                .unwrap_or_default()
                .to_lowercase();
            verb.starts_with("erase")
                || verb.contains("delete")
                || verb.starts_with("partition")
                || verb == "zerodisk"
                || verb == "secureerase"
        }
        "dmsetup" => names(operands, &["remove", "remove_all", "wipe_table"]),
        "btrfs" => operands
            .windows(2)
            .any(|pair| pair[0].is("subvolume") && pair[1].is("delete")),
        "losetup" | "fsck" => false,
        "format" => operands.iter().any(|word| word.lead().ends_with(':')),
        _ => true,
    };
    if !destroys {
        return Stream::Nothing;
    }
    let makes_in_file = call.name.starts_with("mk") || call.name.starts_with("newfs");
    for operand in devices(runner, operands, makes_in_file) {
        runner.note(
            Effect::Device {
                device: operand,
                how: call.name.clone(),
            },
            call,
        );
    }
    Stream::Nothing
}

fn names(operands: &[Text], verbs: &[&str]) -> bool {
    operands
        .iter()
        .any(|word| verbs.iter().any(|verb| word.is(verb)))
}

/// The devices among the operands. A file system in an image file harms no disk.
fn devices(runner: &mut Runner<'_>, operands: &[Text], makes_in_file: bool) -> Vec<String> {
    operands
        .iter()
        .filter(|operand| {
            let target = runner.target(operand);
            !makes_in_file || is_device(&target) || matches!(target.place, Place::Unknown { .. })
        })
        .map(Text::shown)
        .filter(|shown| shown.parse::<u64>().is_err())
        .collect()
}

/// Whether a target is a disk or a partition.
pub(crate) fn is_device(target: &Target) -> bool {
    let path = match &target.place {
        Place::At(path) => path.display().to_string(),
        Place::Within {
            folder, pattern, ..
        } => folder.join(pattern).display().to_string(),
        Place::Unknown { .. } => return false,
    };
    let Some(name) = path.strip_prefix("/dev/") else {
        return path.starts_with("/proc/sys") || path == "/proc/sysrq-trigger";
    };
    let harmless = [
        "null", "zero", "full", "random", "urandom", "stdin", "stdout", "stderr", "tty", "ptmx",
    ];
    !harmless.contains(&name)
        && !["fd/", "pts/", "shm/", "tcp/", "udp/", "tty"]
            .iter()
            .any(|prefix| name.starts_with(prefix))
}

//! Programs that write or destroy disks, partitions and volumes as a whole.

use crate::effect::Effect;
use crate::options::Options;
use crate::program::{Does, Program, nothing, program};
use crate::run::{Call, Runner};
use crate::target::{Place, Target};
use crate::text::Text;

/// A row: names, options beside those that all have, and the calls that destroy.
macro_rules! row {
    ($names:literal, $options:literal, $calls:literal) => {
        program(
            $names,
            concat!(
                "t|type= L|label= U|uuid= b= reportformat= help version no-act test dry-run list ",
                $options
            ),
            nothing,
        )
        .idle("--help; --version; --no-act; --test; --dry-run; --list")
        .does(&[Does::Device($calls)])
    };
}

pub(crate) const PROGRAMS: &[Program] = &[
    row!(
        "mkfs mke2fs mkswap mkntfs mkdosfs blkdiscard lvremove vgremove pvremove",
        "",
        ""
    ),
    row!("wipefs", "a|all o|offset", "--all; --offset"),
    row!("parted", "l", "* * !-l !..print"),
    row!(
        "fdisk sfdisk cfdisk gdisk sgdisk",
        "l|p|d|dump|V|verify|n|s|show-size Z|zap-all|o|clear|delete",
        "!--dump; --zap-all"
    ),
    row!("badblocks", "w", "-w"),
    row!(
        "hdparm",
        "security-erase|security-erase-enhanced|trim-sector-ranges|trim-sector-ranges-stdin?",
        "--security-erase"
    ),
    row!("nvme", "", "..format|sanitize"),
    row!("cryptsetup", "", "..luksformat|erase|lukserase|reencrypt"),
    row!("lvm", "", "..lvremove|vgremove|pvremove"),
    row!("zpool zfs", "", "..destroy|labelclear|rollback"),
    row!(
        "mdadm",
        "zero-superblock|S|stop|C|create",
        "--zero-superblock"
    ),
    row!(
        "diskutil",
        "",
        "erase*|*delete*|partition*|zerodisk|secureerase; apfs|cs delete*|erase*"
    ),
    row!("dmsetup", "", "..remove|remove_all|wipe_table"),
    row!("btrfs", "", "sub* del*"),
    row!("format", "", "..*:"),
    program("losetup fsck", "", nothing),
];

/// Notes the disks among the operands of a call that destroys.
pub(crate) fn note(runner: &mut Runner<'_>, call: &Call, options: &Options) {
    let makes_in_file = call.name.starts_with("mk") || call.name.starts_with("newfs");
    for device in devices(runner, &options.operands, makes_in_file) {
        let how = call.name.clone();
        runner.note(Effect::Device { device, how }, call);
    }
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
        return path == "/proc/sysrq-trigger";
    };
    let harmless = [
        "null", "zero", "full", "random", "urandom", "stdin", "stdout", "stderr", "tty", "ptmx",
    ];
    !harmless.contains(&name)
        && !["fd/", "pts/", "shm/", "tcp/", "udp/", "tty"]
            .iter()
            .any(|prefix| name.starts_with(prefix))
}

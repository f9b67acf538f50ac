#!/bin/sh
# Makes a machine of its own out of this one and runs a command in it: every file is there, and nothing that is changed
# lasts or is seen outside. Wants an own mount namespace, and an own pid namespace for /proc.
#   enter.sh SCRATCH LAYERS COMMAND…   SCRATCH: an empty folder. LAYERS: the folders that are laid over each other.
set -eu
scratch=$1 layers=$2
shift 2
[ -d "$scratch/upper" ] || mount -t tmpfs none "$scratch"
mkdir -p "$scratch/upper" "$scratch/work" "$scratch/root"
root=$scratch/root
mount -t overlay none -o "lowerdir=$layers,upperdir=$scratch/upper,workdir=$scratch/work" "$root"
mount -t proc none "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs none "$root/dev/shm"
mount -t tmpfs -o mode=1777 none "$root/tmp"
mount -t tmpfs -o mode=755 none "$root/run"
exec chroot "$root" "$@"

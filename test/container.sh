#!/bin/sh
# Runs tests as in a container (rake container): as a user without rights and without a home that
# could be written, with processes and a network of its own, and a /proc masked as Docker and hidepid
# do. Called with its tests as root, in namespaces of mounts, network and processes of its own.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)

ip link set lo up
mount -t proc -o hidepid=2 proc /proc
for file in kcore keys timer_list sched_debug sysrq-trigger; do
  if [ -e "/proc/$file" ]; then mount --bind /dev/null "/proc/$file"; fi
done
for folder in /proc/acpi /proc/scsi /sys/firmware; do
  if [ -d "$folder" ]; then mount -t tmpfs -o ro masked "$folder"; fi
done
mount --bind /proc/sys /proc/sys
mount -o remount,bind,ro /proc/sys

place=$(mktemp -d)
mkdir "$place/home" "$place/tmp"
mount -t tmpfs -o ro home "$place/home"
chmod 755 "$place"
chown 65534:65534 "$place/tmp"

status=0
cd "$root"
setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs \
  env -i PATH="$PATH" LANG=C.UTF-8 HOME="$place/home" TMPDIR="$place/tmp" bin/test "$@" || status=$?
umount "$place/home"
rm -rf "$place"
exit "$status"

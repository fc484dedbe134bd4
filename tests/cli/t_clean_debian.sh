#!/usr/bin/env bash
# The README's two commands on a bare Debian 12: debootstrap a root with git, make and gcc, copy a clean checkout into it,
# then `make run` prints the overview and `make test` passes. Takes minutes and needs root and a Debian mirror, so only
# when RUN_DEBOOTSTRAP=1. DEBIAN_MIRROR names another mirror, SCRATCH another place for the root.
set -u
cd "$(dirname "$0")/../.." || exit 1

skip() { echo "1..0 # SKIP $1"; exit 0; }
[ "${RUN_DEBOOTSTRAP:-}" = 1 ] || skip "set RUN_DEBOOTSTRAP=1 to try a clean Debian 12"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
[ "$(id -u)" = 0 ] || skip "needs root"

# the mirror that this machine's own apt uses
mirror=${DEBIAN_MIRROR:-$(sed -n 's/^URIs: *//p; s/^deb .*\(https\{0,1\}:[^ ]*\).*/\1/p' /etc/apt/sources.list \
	/etc/apt/sources.list.d/* 2>/dev/null | grep -v security | head -n 1)}
[ -n "$mirror" ] || skip "no Debian mirror known; set DEBIAN_MIRROR"
root=$(mktemp -d "${SCRATCH:-/var/tmp}/stepscope-debian.XXXXXX")
trap 'umount "$root/dev/pts" "$root/proc" 2>/dev/null; rm -rf --one-file-system "$root"' EXIT

number=0
verdict() { # name log status
	number=$((number + 1))
	if [ "$3" -eq 0 ]; then echo "ok $number - $1"; else
		echo "not ok $number - $1"
		{ grep -A8 '^FAIL' "$2" | head -n 60; tail -n 12 "$2"; } | sed 's/^/# /'
	fi
}
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 TERM=xterm \
	${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} "$@"; }

debootstrap --variant=minbase --include=git,make,gcc,libc6-dev,ca-certificates bookworm "$root" "$mirror" >"$root.log" 2>&1
made=$?
verdict "a Debian 12 root with git, make and gcc" "$root.log" $made
rm -f "$root.log"
if [ $made -eq 0 ]; then
	mount -t proc proc "$root/proc" 2>/dev/null
	# the screen tests need pseudo-terminals of their own
	mkdir -p "$root/dev/pts" && mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts "$root/dev/pts" &&
		ln -sf pts/ptmx "$root/dev/ptmx"
	# how this machine reaches a mirror holds inside as well
	apt-config dump | grep -E '^Acquire::(Check-|https?::Proxy)' >"$root/etc/apt/apt.conf.d/99host"
	git clone -q --no-local . "$root/root/stepscope"
	inside make -C /root/stepscope run </dev/null >"$root/run.out" 2>"$root/run.log"
	status=$?
	cat "$root/run.out" >>"$root/run.log"
	[ $status -eq 0 ] && grep -q 'Busy *GPU 0' "$root/run.out" && grep -q 'GPU 0 *670.933 ms' "$root/run.out"
	verdict "make run prints the overview of the bundled trace, with its GPU's gap" "$root/run.log" $?
	inside make -C /root/stepscope test </dev/null >"$root/test.log" 2>&1 && grep -qE '^[0-9]+ passed, 0 failed' "$root/test.log"
	verdict "make test passes" "$root/test.log" $?
fi
echo "1..$number"
[ "$number" -gt 0 ]

#!/bin/sh
# Installs Gatehouse as a service of systemd, after npm has installed the package in /usr/local. Keeps existing settings, so that it can
# run again after an upgrade. Starts nothing. With DESTDIR, only copies the files below that folder.
set -eu
from=$(cd "$(dirname "$0")" && pwd)
to=${DESTDIR:-}

install -D -m 0644 "$from/gatehouse.service" "$to/etc/systemd/system/gatehouse.service"
install -D -m 0644 "$from/gatehouse.sysusers" "$to/usr/lib/sysusers.d/gatehouse.conf"
install -D -m 0644 "$from/gatehouse.tmpfiles" "$to/usr/lib/tmpfiles.d/gatehouse.conf"
if ! [ -e "$to/etc/gatehouse/gatehouse.env" ]; then
  install -D -m 0644 "$from/gatehouse.env" "$to/etc/gatehouse/gatehouse.env"
fi
[ -z "$to" ] || exit 0

systemd-sysusers gatehouse.conf
systemd-tmpfiles --create gatehouse.conf
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
fi
echo 'Gatehouse is installed. Edit /etc/gatehouse/gatehouse.env, then run: systemctl enable --now gatehouse'

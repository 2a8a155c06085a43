import {
  type Changes,
  type Grants,
  generatePassword,
  type Ref,
  type TaskAccount,
  TaskError,
} from '@gatehouse/connector';
import pg from 'pg';
import { userNameRefusal } from '../../packages/protocol/src/user-names.ts';
import { heldRoles, isAccount, quoteTable, type Roles } from './roles.ts';
import { scramVerifier } from './scram.ts';

type Slugs = 'role' | 'seat';
const quote = pg.escapeIdentifier;

/** Runs a task in one transaction. */
async function inTransaction<T>({ pool }: Roles, work: (db: pg.PoolClient) => Promise<T>): Promise<T> {
  const db = await pool.connect();
  try {
    await db.query('begin');
    const result = await work(db);
    await db.query('commit');
    return result;
  } catch (error) {
    await db.query('rollback');
    throw error;
  } finally {
    db.release();
  }
}

/** The role that initdb makes, and without which a server cannot be administered. */
const FIRST_ROLE = '10';

/** Returns the current name of an account. Ids are oids, because a role may be renamed. */
async function nameOf(db: pg.PoolClient, { marker }: Roles, id: string): Promise<string> {
  const { rows } = await db.query(
    `select r.rolname from pg_roles r where r.oid::text = $2 and ${isAccount}`,
    [marker, id],
  );
  if (!rows[0]) throw new TaskError('ACCOUNT_NOT_FOUND', `no account has the oid ${id}`);
  if (id === FIRST_ROLE)
    throw new TaskError(
      'PERMISSION_DENIED',
      `${rows[0].rolname} is the first superuser of the server, so no task changes it: change it in PostgreSQL itself`,
    );
  return rows[0].rolname;
}

/** Returns the name of a new role. PostgreSQL would cut a longer one, and could take it for that of another role. */
function nameFor({ username, email }: TaskAccount): string {
  const name = username || email;
  if (!name)
    throw new TaskError('INTERNAL_ERROR', 'the task has neither username nor email to name the role with');
  const refusal = userNameRefusal('postgresql', name);
  if (refusal !== undefined) throw new TaskError('INTERNAL_ERROR', refusal);
  return name;
}

/** Finds any role with the name, account or not, because it would block a new role. */
export async function findRole({ pool }: Roles, account: TaskAccount): Promise<string | null> {
  const name = nameFor(account);
  const { rows } = await pool.query('select oid::text as id from pg_roles where rolname = $1', [name]);
  return rows[0]?.id ?? null;
}

export async function createRole(
  roles: Roles,
  account: TaskAccount,
  memberships: Grants<Slugs>,
): Promise<{ id: string; password?: string }> {
  const name = nameFor(account);
  const password = roles.deliverTo ? generatePassword() : undefined;
  const login = password ? `login password ${pg.escapeLiteral(scramVerifier(password))}` : 'login';
  return inTransaction(roles, async (db) => {
    await db.query(`create role ${quote(name)} ${login}`);
    await db.query(`grant ${quote(roles.marker)} to ${quote(name)}`);
    if (account.email) await db.query(`comment on role ${quote(name)} is ${pg.escapeLiteral(account.email)}`);
    await grant(db, roles, name, memberships);
    const { rows } = await db.query('select oid::text as id from pg_roles where rolname = $1', [name]);
    return { id: String(rows[0].id), ...(password ? { password } : {}) };
  });
}

export async function updateRole(roles: Roles, id: string, { role, seat }: Changes<Slugs>): Promise<void> {
  await inTransaction(roles, async (db) => {
    const name = await nameOf(db, roles, id);
    for (const group of await groupNames(db, role?.removed)) await revoke(db, group, name);
    await requireRevoked(db, name, role?.removed);
    for (const license of seat?.removed ?? []) await freeSeats(db, roles, name, license.id);
    await grant(db, roles, name, { role: role?.added ?? [], seat: seat?.added ?? [] });
  });
}

/** True since PostgreSQL 16, where memberships have options, and each role that grants one has a row of its own. */
async function hasGrantors(db: pg.PoolClient): Promise<boolean> {
  const { rows } = await db.query(`select current_setting('server_version_num')::int >= 160000 as "is16"`);
  return rows[0]?.is16 === true;
}

/** Revokes a membership, whoever has granted it. */
async function revoke(db: pg.PoolClient, group: string, name: string): Promise<void> {
  if (!(await hasGrantors(db))) return void (await db.query(`revoke ${quote(group)} from ${quote(name)}`));
  const { rows } = await db.query(
    `select pg_get_userbyid(m.grantor) as grantor,
            (select string_agg(pg_get_userbyid(d.member), ', ' order by pg_get_userbyid(d.member))
               from pg_auth_members d where d.roleid = g.oid and d.grantor = r.oid) as dependants
       from pg_auth_members m join pg_roles g on g.oid = m.roleid join pg_roles r on r.oid = m.member
      where g.rolname = $1 and r.rolname = $2 order by m.grantor`,
    [group, name],
  );
  for (const { grantor, dependants } of rows)
    await db
      .query(`revoke ${quote(group)} from ${quote(name)} granted by ${quote(grantor)}`)
      .catch((error: unknown) => {
        throw unrevoked(error, { group, name, grantor, dependants });
      });
}

type Membership = { group: string; name: string; grantor: string; dependants: string | null };

/** Explains why PostgreSQL keeps a membership, in addition to its own words. */
function unrevoked(error: unknown, { group, name, grantor, dependants }: Membership): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  const why = `${name} still has the role ${group}, because ${grantor} granted it: ${explanationOf(error)}`;
  if (error.code === NEEDS_PRIVILEGES)
    return new TaskError(
      'PERMISSION_DENIED',
      `${why}. Revoke it as ${grantor}, or give the role of the connector the privileges of ${grantor} (grant ${quote(grantor)} with inherit true)`,
      { cause: error },
    );
  if (error.code === HAS_DEPENDANTS)
    return new TaskError(
      'INTERNAL_ERROR',
      `${why}. ${name} has granted the role to ${dependants ?? 'others'}, who would lose it as well: revoke it from them first`,
      { cause: error },
    );
  return error;
}

const NEEDS_PRIVILEGES = '42501';
const HAS_DEPENDANTS = '2BP01';

/**
 * Throws if a role is still a member: PostgreSQL only warns if the membership was granted by a role whose privileges we do not have,
 * or if another role gives it.
 */
async function requireRevoked(db: pg.PoolClient, name: string, refs: Ref[] = []): Promise<void> {
  const { rows } = await db.query(
    `select g.rolname as group, m.grantor::regrole::text as grantor,
            case when k.rolname <> $1 then k.rolname end as giver
       from pg_roles r cross join lateral (${heldRoles} select oid from held union select r.oid) each
       join pg_auth_members m on m.member = each.oid
       join pg_roles g on g.oid = m.roleid join pg_roles k on k.oid = m.member
      where r.rolname = $1 and g.oid::text = any($2) order by giver nulls first limit 1`,
    [name, refs.map(({ id }) => id)],
  );
  const [left] = rows;
  if (left?.giver)
    throw new TaskError(
      'INTERNAL_ERROR',
      `${name} has the role ${left.group} through the role ${left.giver}; revoke that instead`,
    );
  if (left)
    throw new TaskError(
      'PERMISSION_DENIED',
      `${name} still has the role ${left.group}, because ${left.grantor} granted it; revoke it as ${left.grantor}, or make the role of the connector a member of ${left.grantor}`,
    );
}

/**
 * Drops a role after it has lost its login and its sessions. PostgreSQL refuses to drop a role that owns objects or has privileges,
 * in any database. The task then fails, and an administrator decides about the objects.
 */
export async function dropRole(roles: Roles, id: string): Promise<void> {
  await suspendRole(roles, id);
  try {
    await inTransaction(roles, async (db) => {
      const name = await nameOf(db, roles, id);
      await freeSeats(db, roles, name);
      await db.query(`drop role ${quote(name)}`);
    });
  } catch (error) {
    throw new TaskError(
      'INTERNAL_ERROR',
      `${explanationOf(error)}. The role can no longer sign in, and its sessions were ended`,
      { cause: error },
    );
  }
}

/** Returns the message of PostgreSQL with its detail, which names the objects that depend on a role, for example, and its code. */
export function explanationOf(error: unknown): string {
  const { message, detail, code } = error as { message?: string; detail?: string; code?: string };
  const said = [message ?? String(error), ...(detail ? [detail.replaceAll('\n', ', ')] : [])].join(': ');
  return code ? `${said} (code ${code})` : said;
}

/** Revokes the login and ends open sessions. The login goes first, so that nobody signs in again in between. */
export async function suspendRole(roles: Roles, id: string): Promise<void> {
  await inTransaction(roles, async (db) => {
    const name = await nameOf(db, roles, id);
    await requireAnotherSuperuser(db, name);
    await db.query(`alter role ${quote(name)} nologin`);
  });
  await roles.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where usesysid::text = $1 and pid <> pg_backend_pid()',
    [id],
  );
}

/** Throws for the last superuser that can sign in. */
async function requireAnotherSuperuser(db: pg.PoolClient, name: string): Promise<void> {
  const { rows } = await db.query(
    `select r.rolsuper and not exists (
       select from pg_roles o where o.rolsuper and o.rolcanlogin and o.oid <> r.oid) as "isLast"
       from pg_roles r where r.rolname = $1`,
    [name],
  );
  if (rows[0]?.isLast)
    throw new TaskError(
      'PERMISSION_DENIED',
      `${name} is the last superuser that can sign in, so no task suspends or deletes it: add another one first`,
    );
}

/** Fails, and changes nothing, if the role has a connection limit of 0: somebody else has set it. */
export async function unsuspendRole(roles: Roles, id: string): Promise<void> {
  await inTransaction(roles, async (db) => {
    const name = await nameOf(db, roles, id);
    const { rows } = await db.query(
      'select rolconnlimit = 0 and not rolsuper as "isClosed" from pg_roles where rolname = $1',
      [name],
    );
    if (rows[0]?.isClosed)
      throw new TaskError(
        'INTERNAL_ERROR',
        `${name} has a connection limit of 0, so it could not sign in; raise the limit in PostgreSQL first`,
      );
    await db.query(`alter role ${quote(name)} login`);
  });
}

export async function resetPassword(roles: Roles, id: string): Promise<{ password: string }> {
  if (!roles.deliverTo)
    throw new TaskError('INTERNAL_ERROR', 'set deliverTo: no program is configured to receive new passwords');
  const password = generatePassword();
  await alterRole(roles, id, `password ${pg.escapeLiteral(scramVerifier(password))}`);
  return { password };
}

async function alterRole(roles: Roles, id: string, change: string): Promise<void> {
  await inTransaction(roles, async (db) => {
    await db.query(`alter role ${quote(await nameOf(db, roles, id))} ${change}`);
  });
}

async function grant(
  db: pg.PoolClient,
  roles: Roles,
  name: string,
  { role = [], seat = [] }: Grants<Slugs>,
): Promise<void> {
  const options = role.length > 0 ? await optionsFor(db, name) : '';
  for (const group of await groupNames(db, role))
    await db.query(`grant ${quote(group)} to ${quote(name)}${options}`);
  for (const license of seat) await takeSeat(db, roles, name, license.id);
}

/**
 * Returns the options of a new membership. Granting again keeps the options of an older grant, with which the role may have no
 * effect, unless the statement names them.
 */
async function optionsFor(db: pg.PoolClient, name: string): Promise<string> {
  if (!(await hasGrantors(db))) return '';
  const { rows } = await db.query('select rolinherit as inherits from pg_roles where rolname = $1', [name]);
  return ` with inherit ${rows[0]?.inherits !== false}, set true`;
}

async function groupNames(db: pg.PoolClient, refs: Ref[] = []): Promise<string[]> {
  const ids = refs.map(({ id }) => id);
  const { rows } = await db.query(
    'select oid::text as id, rolname from pg_roles where oid::text = any($1) and not rolcanlogin',
    [ids],
  );
  const missing = ids.find((id) => !rows.some((row) => row.id === id));
  if (missing !== undefined) throw new TaskError('INTERNAL_ERROR', `no group role has the oid ${missing}`);
  return rows.map(({ rolname }) => rolname);
}

async function takeSeat(db: pg.PoolClient, { seats }: Roles, name: string, license: string): Promise<void> {
  if (!seats) throw new TaskError('LICENSE_EXHAUSTED', 'no seat table is configured');
  const table = quoteTable(seats);
  const held = await db.query(`select from ${table} where license = $1 and role = $2`, [license, name]);
  if (held.rowCount) return;
  const taken = await db.query(
    `update ${table} set role = $2 where ctid = (select ctid from ${table} where license = $1 and role is null limit 1 for update skip locked)`,
    [license, name],
  );
  if (!taken.rowCount) throw new TaskError('LICENSE_EXHAUSTED', `all seats of ${license} are taken`);
}

async function freeSeats(db: pg.PoolClient, { seats }: Roles, name: string, license?: string): Promise<void> {
  if (!seats) {
    if (license === undefined) return;
    throw new TaskError('INTERNAL_ERROR', 'no seat table is configured, so nobody knows who has the seat');
  }
  await db.query(
    `update ${quoteTable(seats)} set role = null where role = $1 and license = coalesce($2, license)`,
    [name, license],
  );
}

import {
  defineConnector,
  deliverToProgram,
  main,
  secret,
  TaskError,
  text,
  VERSION,
} from '@gatehouse/connector';
import pg from 'pg';
import { listAccounts, listGroups, listSeats, type Roles, readAccount } from './roles.ts';
import {
  createRole,
  dropRole,
  explanationOf,
  findRole,
  resetPassword,
  suspendRole,
  unsuspendRole,
  updateRole,
} from './tasks.ts';
import { readUnseen } from './unseen.ts';

/** Connects PostgreSQL roles: members of a marker role are accounts, NOLOGIN roles are groups, rows of a table are seats. */
export const connector = defineConnector({
  name: 'postgres',
  version: VERSION,
  description: 'Roles of a PostgreSQL server as accounts and groups',
  config: {
    url: secret('connection string, such as postgres://keeper:password@db.example:5432/postgres'),
    marker: text('role whose members are accounts', { default: 'gatehouse_users' }),
    seats: text('table with one row per seat: license, role', { optional: true }),
    deliverTo: text('program that receives new passwords as JSON on standard input', {
      optional: true,
      local: true,
    }),
  },
  connect: ({ url, marker, seats, deliverTo }): Roles => {
    if (!/^(postgres|postgresql|socket):|^\//.test(url))
      throw Object.assign(new Error('the URL must begin with postgres://'), { code: 'ERR_INVALID_URL' });
    return {
      pool: new pg.Pool({ connectionString: url, max: 4 }).on('error', () => {}),
      marker,
      seats,
      deliverTo,
    };
  },
  close: ({ pool }) => pool.end(),
  async check({ pool, marker }) {
    const { rowCount } = await pool.query('select from pg_roles where rolname = $1', [marker]);
    if (!rowCount)
      throw new TaskError(
        'INTERNAL_ERROR',
        `the marker role "${marker}" does not exist; create it or set marker`,
      );
  },
  groups: {
    role: { name: 'Roles', list: (roles, { from }) => listGroups(roles, from) },
  },
  licenses: {
    seat: {
      name: 'Seats',
      async *list(roles) {
        yield* await listSeats(roles);
      },
    },
  },
  accounts: {
    user: {
      name: 'Login roles',
      async *list(roles, { from, unseen }) {
        yield* listAccounts(roles, from);
        for (const each of await readUnseen(roles)) unseen(each);
      },
      get: readAccount,
    },
  },
  userNames: 'postgresql',
  tasks: {
    find: findRole,
    create: (roles, { account, memberships }) => createRole(roles, account, memberships),
    update: (roles, { account, changes }) => updateRole(roles, account.id, changes),
    delete: (roles, { id }) => dropRole(roles, id),
    suspend: (roles, { id }) => suspendRole(roles, id),
    unsuspend: (roles, { id }) => unsuspendRole(roles, id),
    resetPassword: (roles, { id }) => resetPassword(roles, id),
  },
  deliver: ({ deliverTo }, message) => deliverToProgram(deliverTo, message),
  mapError(error) {
    if (!(error instanceof pg.DatabaseError)) return undefined;
    return new TaskError(meanings[error.code ?? ''] ?? 'INTERNAL_ERROR', explanationOf(error), {
      cause: error,
    });
  },
});

/** PostgreSQL error codes (appendix A of its manual). */
const meanings: Record<
  string,
  'ACCOUNT_ALREADY_EXISTS' | 'ACCOUNT_NOT_FOUND' | 'PERMISSION_DENIED' | 'TIMEOUT'
> = {
  '42710': 'ACCOUNT_ALREADY_EXISTS',
  '42704': 'ACCOUNT_NOT_FOUND',
  '42501': 'PERMISSION_DENIED',
  '28000': 'PERMISSION_DENIED',
  '28P01': 'PERMISSION_DENIED',
  '57014': 'TIMEOUT',
};

await main(connector, import.meta);

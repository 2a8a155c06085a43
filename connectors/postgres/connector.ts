import {
  type AccountRecord,
  defineConnector,
  type GroupRecord,
  main,
  type Ref,
  secret,
  TaskError,
  text,
} from '@gatehouse/connector';
import pg from 'pg';
import { accountRows, groupRows, pagesBehind, type Roles, seatRows } from './roles.ts';

/** PostgreSQL roles: members of a marker role are accounts, NOLOGIN roles are groups, rows of a table are seats. */
export const connector = defineConnector({
  name: 'postgres',
  version: '0.1.0',
  description: 'Roles of a PostgreSQL server as accounts and groups',
  config: {
    url: secret('connection string of the server'),
    marker: text('role whose members are accounts', { default: 'gatehouse_users' }),
    seats: text('table with one row a seat: license, role', { optional: true }),
  },
  connect: ({ url, marker, seats }): Roles => ({
    pool: new pg.Pool({ connectionString: url, max: 4 }),
    marker,
    seats,
  }),
  close: ({ pool }) => pool.end(),
  async check({ pool, marker }) {
    const { rowCount } = await pool.query('select from pg_roles where rolname = $1', [marker]);
    if (rowCount === 0)
      throw new TaskError('INTERNAL_ERROR', `there is no role "${marker}" to mark accounts with`);
  },
  groups: {
    role: {
      name: 'Roles',
      list: (roles, { from }) =>
        pagesBehind(
          from,
          groupRows(roles),
          ({ id, name, description }) => ({ id, name, description }) as GroupRecord,
        ),
    },
  },
  licenses: {
    seat: {
      name: 'Seats',
      async *list(roles) {
        for (const { id, total, used } of await seatRows(roles)) {
          yield { id: String(id), name: String(id), max_count: Number(total), used_count: Number(used) };
        }
      },
    },
  },
  accounts: {
    user: {
      name: 'Login roles',
      list: (roles, { from }) =>
        pagesBehind(
          from,
          accountRows(roles),
          (row): AccountRecord<'role', 'seat'> => ({
            id: String(row.id),
            username: String(row.username),
            email: row.email as string | null,
            status: row.active ? 'active' : 'suspended',
            memberships: { role: (row.groups as Ref[] | null) ?? [] },
            assignments: { seat: (row.licenses as Ref[] | null) ?? [] },
          }),
        ),
    },
  },
  mapError(error) {
    const { code, message } = error as { code?: string; message: string };
    const meaning = {
      '42710': 'ACCOUNT_ALREADY_EXISTS',
      '42704': 'ACCOUNT_NOT_FOUND',
      '42501': 'PERMISSION_DENIED',
      '28P01': 'PERMISSION_DENIED',
      '28000': 'PERMISSION_DENIED',
      '57014': 'TIMEOUT',
    } as const;
    const known = meaning[code as keyof typeof meaning];
    return known && new TaskError(known, message);
  },
});

await main(connector, import.meta);

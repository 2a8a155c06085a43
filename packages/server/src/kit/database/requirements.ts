import type pg from 'pg';
import { StartError } from '../errors.ts';
import { type Setting, undoing } from './setting-source.ts';

const MINIMUM_VERSION = 180000;

/** The state of a server and its database, as a new session sees it before it gets any settings. */
export interface Found {
  version: number;
  version_name: string;
  encoding: string;
  is_standby: boolean;
  database: string;
  role: string;
  /** The schema of the extension pg_trgm, if it exists. */
  trigram_schema: string | null;
  settings: Setting[];
}

/** Settings that a session cannot or must not change by itself. */
const SETTINGS = ['default_transaction_read_only', 'session_replication_role', 'idle_session_timeout'];

/** Servers before version 17 have no transaction_timeout. */
const NO_TIMEOUT = `
  set statement_timeout = 0;
  select set_config('transaction_timeout', '0', false) where current_setting('transaction_timeout', true) is not null`;

const FOUND = `
  select current_setting('server_version_num')::int as version, current_setting('server_version') as version_name,
    current_setting('server_encoding') as encoding, pg_is_in_recovery() as is_standby,
    current_database()::text as database, session_user::text as role,
    (select n.nspname::text from pg_extension e join pg_namespace n on n.oid = e.extnamespace
     where e.extname = 'pg_trgm') as trigram_schema,
    (select json_agg(json_build_object('name', name, 'value', setting, 'source', source))
     from pg_settings where name = any ($1)) as settings`;

/** Throws StartError if Gatehouse cannot work with the database. */
export async function requireUsable(client: pg.ClientBase): Promise<Found> {
  await client.query(NO_TIMEOUT);
  const { rows } = await client.query<Found>(FOUND, [SETTINGS]);
  const found = rows[0] as Found;
  const problem = problemOf(found);
  if (problem !== undefined) throw new StartError(problem);
  return found;
}

export const settingOf = ({ settings }: Found, name: string): Setting | undefined =>
  settings.find((setting) => setting.name === name);

function problemOf(found: Found): string | undefined {
  const { version, version_name, encoding, is_standby, database, role, trigram_schema } = found;
  if (version < MINIMUM_VERSION)
    return `Gatehouse requires PostgreSQL 18 or newer, but this server is ${version_name}.`;
  if (encoding !== 'UTF8')
    return `The database ${database} has the encoding ${encoding}. Gatehouse requires UTF8: create another one with "create database ... encoding 'UTF8' template template0" and name it in DATABASE_URL.`;
  if (is_standby)
    return 'The server of DATABASE_URL is a standby, which refuses writes. Name the primary in DATABASE_URL, or promote this server. Only DATABASE_READ_URL may name a standby.';
  const readOnly = settingOf(found, 'default_transaction_read_only');
  if (readOnly?.value === 'on')
    return `The database refuses writes: default_transaction_read_only is on. ${undoing(readOnly, role, database)}`;
  const replication = settingOf(found, 'session_replication_role');
  if (replication !== undefined && replication.value !== 'origin')
    return `session_replication_role is ${replication.value}, so the database checks no foreign keys. ${undoing(replication, role, database)}`;
  if (trigram_schema !== null && trigram_schema !== 'public' && trigram_schema !== 'pg_catalog')
    return `The extension pg_trgm is in the schema ${trigram_schema}. Gatehouse looks for it in the schema public. Move it with: alter extension pg_trgm set schema public;`;
  return undefined;
}

import { sql } from 'kysely';
import type { Db } from '../platform/database/open.ts';

/** The foreign keys of all tables, as statements that drop and add them. */
export interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

export async function foreignKeys(db: Db): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace
    order by 1, 2`.execute(db);
  return rows;
}

export const dropForeignKey = (db: Db, { table, name }: ForeignKey) =>
  sql`alter table ${sql.ref(table)} drop constraint ${sql.ref(name)}`.execute(db);

export const addForeignKey = (db: Db, { table, name, definition }: ForeignKey) =>
  sql`alter table ${sql.ref(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(db);

/** Returns the tables whose rows belong to organizations, with their schemas, and whether they are distributed. */
export async function tablesOfOrganizations(db: Db): Promise<{ name: string; distributed: boolean }[]> {
  const { rows } = await sql<{ name: string; distributed: boolean }>`
    select c.oid::regclass::text as name,
      exists (select from pg_dist_partition p where p.logicalrelid = c.oid and p.partmethod = 'h') as distributed
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
    where c.relnamespace in ('public'::regnamespace, to_regnamespace('staging')) and c.relkind in ('r', 'p')
      and not c.relispartition
    order by c.relname`.execute(db);
  return rows;
}

export const distribute = (db: Db, table: string) =>
  sql`select create_distributed_table(${table}, 'org_id')`.execute(db);

export const replicateOrganizations = (db: Db) =>
  sql`select create_reference_table('organization')`.execute(db);

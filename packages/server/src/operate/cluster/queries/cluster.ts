import type { Db } from '#kit/database.ts';
import { many, one, sql, value } from '#kit/sql.ts';

export interface Node {
  name: string;
  port: number;
  is_coordinator: boolean;
  /** Whether shards may be put there. */
  holds_shards: boolean;
}

/** Returns the nodes of the cluster, or undefined if the extension citus is missing. */
export async function findNodes(db: Db): Promise<Node[] | undefined> {
  const extension = await many(db)`select from pg_extension where extname = 'citus'`;
  if (extension.length === 0) return undefined;
  return many<Node>(db)`
    select nodename as name, nodeport as port, groupid = 0 as is_coordinator, shouldhaveshards as holds_shards
    from pg_dist_node where isactive and noderole = 'primary' order by groupid`;
}

/** Returns the number of connections of job queues. Each running server has some. */
export const countServerConnections = (db: Db) => value<number>(db)`
    select count(*) as n from pg_stat_activity
    where datname = current_database() and application_name = 'gatehouse-jobs'
      and pid <> pg_backend_pid()`;

/** Sets how the connection distributes tables, until it ends. */
export async function configureDistribution(connection: Db, shards: number): Promise<void> {
  // The only triggers refuse changes of the event log. They need nothing from other shards.
  await sql`set citus.enable_unsafe_triggers = on`.execute(connection);
  await sql`set citus.shard_count = ${sql.lit(shards)}`.execute(connection);
  // One statement distributes a table with all its partitions.
  await sql`set citus.multi_shard_modify_mode = 'sequential'`.execute(connection);
}

/** Returns the tables whose rows belong to organizations, and whether they are distributed. */
export const listTables = (db: Db) => many<{ name: string; is_distributed: boolean; has_key: boolean }>(db)`
    select c.oid::regclass::text as name,
      exists (select from pg_dist_partition p where p.logicalrelid = c.oid and p.partmethod = 'h') as is_distributed,
      exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary) as has_key
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
    where c.relnamespace in ('public'::regnamespace, 'staging'::regnamespace) and c.relkind in ('r', 'p')
      and not c.relispartition
    order by c.oid`;

/** The distributed tables and the reference tables. A table with a key to one of them is known to Citus, but is neither. */
const placed = sql`select logicalrelid from pg_dist_partition where partmethod = 'h' or repmodel = 't'`;

/** Keeps the statements that put the foreign keys of undistributed tables back, so that an interrupted preparation can go on. */
export async function keepForeignKeys(db: Db): Promise<void> {
  await sql`create table if not exists cluster_foreign_key (drop_it text primary key, add_it text not null)`.execute(
    db,
  );
  // Citus has no foreign keys that clear one of their columns. The features do that themselves (ADR 16).
  await sql`
    insert into cluster_foreign_key
    select format('alter table %s drop constraint %I', conrelid::regclass, conname),
      format('alter table %s add constraint %I %s', conrelid::regclass, conname,
        regexp_replace(pg_get_constraintdef(oid), ' ON DELETE SET NULL [(][^)]*[)]', ''))
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace
      and not (conrelid in (${placed}) and confrelid in (${placed}))
    on conflict do nothing`.execute(db);
}

export const listKeptForeignKeys = (db: Db) => many<{ drop_it: string; add_it: string }>(db)`
    select drop_it, add_it from cluster_foreign_key order by 1`;

export const forgetForeignKeys = (db: Db) => sql`drop table cluster_foreign_key`.execute(db);

/** Whether a preparation was interrupted. */
export async function isUnfinished(db: Db): Promise<boolean> {
  return (
    (await value<boolean | undefined>(db)`
    select to_regclass('public.cluster_foreign_key') is not null as unfinished`) === true
  );
}

export const run = (db: Db, statement: string) => sql.raw(statement).execute(db);

export async function replicateOrganizations(db: Db): Promise<void> {
  await sql`
    select create_reference_table('organization')
    where not exists (
      select from pg_dist_partition where logicalrelid = 'organization'::regclass and partmethod = 'n')`.execute(
    db,
  );
}

export async function distribute(db: Db, table: string): Promise<void> {
  await sql`select create_distributed_table(${table}, 'org_id')`.execute(db);
}

/** Lets Citus move a table without a primary key while it is written. */
export const logWholeRows = (db: Db, table: string) =>
  sql`alter table ${sql.raw(table)} replica identity full`.execute(db);

export interface Place {
  slug: string;
  node: string;
}

/** Returns the node on which each organization's rows are, by slug. */
export const listPlaces = (db: Db) => many<Place>(db)`
    select o.slug, p.nodename || ':' || p.nodeport as node
    from (
      select slug, get_shard_id_for_distribution_column('app', id) as shard_id from organization order by slug
    ) o
    join pg_dist_shard_placement p on p.shardid = o.shard_id
    order by o.slug`;

/** Returns the size of the shards on each node, in bytes. */
export const listSizes = (db: Db) => many<{ node: string; bytes: number }>(db)`
    select nodename || ':' || nodeport as node, sum(shard_size)::bigint as bytes from citus_shards
    where citus_table_type = 'distributed' group by 1 order by 1`;

/** Starts to move shards in the background. Returns undefined if they already are where they should be. */
export async function startRebalance(db: Db): Promise<number | undefined> {
  return (
    (await value<number | null | undefined>(db)`
    select citus_rebalance_start(shard_transfer_mode => 'auto') as job`) ?? undefined
  );
}

export interface Rebalance {
  /** `scheduled`, `running`, `finished`, `failing`, `failed`, `cancelling` or `cancelled`. */
  state: string;
  moved: number;
  total: number;
}

export async function findRebalance(db: Db, job: number): Promise<Rebalance> {
  return (await one<Rebalance>(db)`
    select j.state::text as state, count(*) filter (where t.status = 'done') as moved, count(t.*) as total
    from pg_dist_background_job j left join pg_dist_background_task t on t.job_id = j.job_id
    where j.job_id = ${job} group by 1`) as Rebalance;
}

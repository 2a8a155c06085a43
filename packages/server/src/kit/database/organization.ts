import type { QueryExecutorProvider } from 'kysely';
import type { Db, Tx } from './database.ts';

/** An organization, as fragments of SQL name it. */
export interface Org {
  readonly orgId: string;
}

/**
 * The database of one organization. Statements run in it as in `db`. Functions take it instead of a database and the id of an
 * organization, so that the two cannot be mixed up on the way.
 */
export interface OrgDb extends Org, QueryExecutorProvider {
  readonly db: Db;
}

/** A transaction in the database of one organization. A rule that writes twice requires one. */
export interface OrgTx extends OrgDb {
  readonly db: Tx;
}

/** Returns the database of an organization, in the same transaction if `db` is one. */
export function within(db: Tx, orgId: string): OrgTx;
export function within(db: Db, orgId: string): OrgDb;
export function within(db: Db, orgId: string): OrgDb {
  return { orgId, db, getExecutor: () => db.getExecutor() };
}

/** Returns the connection of a database, whether it is that of one organization or not. */
export const connectionOf = (where: Db | OrgDb): Db => ('orgId' in where ? where.db : where);

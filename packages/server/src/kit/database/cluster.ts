import { PostgresAdapter, PostgresQueryCompiler, type QueryExecutorProvider } from 'kysely';
import { prepareValue } from 'pg/lib/utils.js';
import type { Db, Tx } from './database.ts';
import { run } from './statements.ts';
import { transaction } from './transaction.ts';
import { PipelinedDialect } from './with-commit.ts';

/** PostgreSQL as the coordinator of a Citus cluster (ADR 16). */
export class ClusterDialect extends PipelinedDialect {
  override createAdapter() {
    return new ClusterAdapter();
  }

  override createQueryCompiler() {
    return new LiteralCompiler();
  }
}

/** Marks the connections of a cluster, so that isCluster can tell. */
class ClusterAdapter extends PostgresAdapter {}

/**
 * Writes values as literals. Citus plans a statement with parameters before it knows the organization, and then refuses
 * statements whose parts all belong to one shard, such as an insertion of what a CTE has changed.
 */
class LiteralCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown) {
    this.append(literal(value));
  }
}

/** Replaces the parameters of a statement by literals, for the same reason. The text has `$1` for parameters only. */
export const withLiterals = (text: string, values: readonly unknown[]): string =>
  text.replace(/\$(\d+)/g, (_, number) => literal(values[Number(number) - 1]));

/** Returns a value as PostgreSQL reads it in the text of a statement: quoted, and without a type, like a parameter. */
function literal(value: unknown): string {
  const text: Buffer | string | null = prepareValue(value);
  if (text === null) return 'null';
  if (Buffer.isBuffer(text)) return `'\\x${text.toString('hex')}'`;
  if (text.includes('\0')) throw Object.assign(new Error('The text contains NUL.'), { code: '22021' });
  // Like pg.escapeLiteral, which takes seconds for the megabytes of a page.
  const quoted = text.replaceAll("'", "''");
  return text.includes('\\') ? ` E'${quoted.replaceAll('\\', '\\\\')}'` : `'${quoted}'`;
}

/** Whether the tables are distributed over a Citus cluster. A few statements differ there (ADR 16). */
export const isCluster = (db: QueryExecutorProvider): boolean =>
  db.getExecutor().adapter instanceof ClusterAdapter;

/** Returns the database for statements about all organizations, as in many<Key>(everywhere(db))`select …`. */
export const everywhere = (db: Db): QueryExecutorProvider => ({
  getExecutor: () =>
    db.getExecutor().withConnectionProvider({
      provideConnection: (work) => acrossOrganizations(db, (tx) => tx.getExecutor().provideConnection(work)),
    }),
});

/**
 * Runs statements about all organizations. On a cluster, every other statement must go to the shard of one organization;
 * the tests enforce that with `citus.multi_task_query_log_level`, also for what they send to PostgreSQL.
 */
export async function acrossOrganizations<T>(db: Db, work: (tx: Db | Tx) => Promise<T>): Promise<T> {
  // Not a tail call: by this function in the stack, the tests tell its statements from those for one shard.
  if (!isCluster(db)) return await work(db);
  const allow = async (tx: Db | Tx) => {
    await run(tx)`set local citus.multi_task_query_log_level = off`;
    return work(tx);
  };
  return db.isTransaction ? allow(db) : transaction(db, allow);
}

import {
  type CompiledQuery,
  type DatabaseConnection,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type RawBuilder,
} from 'kysely';
import type { Db, Tx } from './database.ts';
import { connectionOf, type OrgDb, type OrgTx } from './organization.ts';

/** Makes the statement that writes rows of one organization. */
type StatementOf<R> = (tx: OrgTx, rows: R[]) => RawBuilder<unknown>;

interface Postponed {
  tx: OrgTx;
  rows: readonly unknown[];
  statementOf: StatementOf<unknown>;
}

const postponed = new WeakMap<Db, Postponed[]>();
const lastStatements = new WeakMap<DatabaseConnection, CompiledQuery[]>();

/** Lets `postpone` work in a transaction, whose last step must be `sendWithCommit`. */
export function mayPostpone(tx: Tx): void {
  postponed.set(tx, []);
}

/**
 * Writes rows with the last statement of a transaction, so that the locks of this statement are held for the commit only, and not
 * while the statement's result and the commit are on their way. Returns false if the transaction cannot postpone.
 */
export function postpone<R>(tx: OrgTx, rows: readonly R[], statementOf: StatementOf<R>): boolean {
  const list = postponed.get(tx.db);
  list?.push({ tx, rows, statementOf: statementOf as StatementOf<unknown> });
  return list !== undefined;
}

/** Writes now what was postponed so far. */
export async function writePostponed(where: Tx | OrgTx): Promise<void> {
  const tx = connectionOf(where);
  for (const statement of takePostponed(tx)) await tx.executeQuery(statement);
}

/** Drops what was postponed since the last `writePostponed`, after a rollback to a savepoint. */
export const dropPostponed = (where: Tx | OrgDb): void => void postponed.get(connectionOf(where))?.splice(0);

/** Hands what was postponed to the driver, which sends it in one message with the commit. Call it last. */
export async function sendWithCommit(tx: Tx): Promise<void> {
  const statements = takePostponed(tx);
  if (statements.length === 0) return;
  await tx.getExecutor().provideConnection(async (connection) => {
    lastStatements.set(connection, statements);
  });
}

/** Returns the statements that a driver runs before the commit. */
export function takeLastStatements(connection: DatabaseConnection): CompiledQuery[] {
  const statements = lastStatements.get(connection) ?? [];
  lastStatements.delete(connection);
  return statements;
}

/** Returns one statement for each organization and kind of rows, in the order of their first rows. */
function takePostponed(tx: Db): CompiledQuery[] {
  const list = postponed.get(tx)?.splice(0) ?? [];
  const merged: (Postponed & { rows: unknown[] })[] = [];
  for (const { tx: org, rows, statementOf } of list) {
    const same = merged.find((one) => one.tx.orgId === org.orgId && one.statementOf === statementOf);
    if (same === undefined) merged.push({ tx: org, rows: [...rows], statementOf });
    else for (const row of rows) same.rows.push(row);
  }
  return merged.map(({ tx: org, rows, statementOf }) => statementOf(org, rows).compile(org));
}

/** PostgreSQL through connections of a pool with the option `pipeline`. */
export class PipelinedDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): PostgresDriver {
    return new PipelinedDriver(this.#config);
  }
}

class PipelinedDriver extends PostgresDriver {
  /** If a last statement fails, PostgreSQL answers COMMIT with ROLLBACK. The failure of the statement says why. */
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const sent = takeLastStatements(connection).map((statement) => connection.executeQuery(statement));
    const results = await Promise.allSettled([...sent, super.commitTransaction(connection)]);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
}

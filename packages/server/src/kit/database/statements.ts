import { type QueryExecutorProvider, sql } from 'kysely';

/** A template of a statement, like that of `sql`: values become parameters, and fragments a part of the text. */
export type Statement<R> = (text: TemplateStringsArray, ...values: unknown[]) => Promise<R>;

// Each template executes its statement itself: the tests take the caller of such a function for the place of the statement
// (test/row-recorder.ts).

/** Runs a statement without rows, as in run(tx)`delete from …`. */
export const run =
  (db: QueryExecutorProvider): Statement<void> =>
  async (...statement) => {
    await sql(...statement).execute(db);
  };

/** Returns the rows of a statement, as in many<Policy>(db)`select …`. */
export const many =
  <T>(db: QueryExecutorProvider): Statement<T[]> =>
  async (...statement) => {
    const { rows } = await sql<T>(...statement).execute(db);
    return rows;
  };

/** Returns the first row of a statement, undefined without any. */
export const one =
  <T>(db: QueryExecutorProvider): Statement<T | undefined> =>
  async (...statement) => {
    const { rows } = await sql<T>(...statement).execute(db);
    return rows[0];
  };

/** Returns the first column of the first row. `T` includes undefined if the statement may return no row. */
export const value =
  <T>(db: QueryExecutorProvider): Statement<T> =>
  async (...statement) => {
    const { rows } = await sql<Record<string, T>>(...statement).execute(db);
    return Object.values(rows[0] ?? {})[0] as T;
  };

/** Returns the first column of each row. */
export const values =
  <T>(db: QueryExecutorProvider): Statement<T[]> =>
  async (...statement) => {
    const { rows } = await sql<Record<string, T>>(...statement).execute(db);
    return rows.map((row) => Object.values(row)[0] as T);
  };

/** Returns how many rows a statement changed. */
export const affected =
  (db: QueryExecutorProvider): Statement<number> =>
  async (...statement) => {
    const { numAffectedRows } = await sql(...statement).execute(db);
    return Number(numAffectedRows ?? 0);
  };

/** Returns whether a statement returns a row. */
export const exists =
  (db: QueryExecutorProvider): Statement<boolean> =>
  async (...statement) => {
    const { rows } = await sql(...statement).execute(db);
    return rows.length > 0;
  };

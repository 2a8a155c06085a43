import { existsSync } from 'node:fs';
import type { SQLInputValue } from 'node:sqlite';
import { Exit, Failure, loadSqlite } from '@gatehouse/connector';
import type { Target } from '../dsn.ts';
import { BATCH, type Driver, type Row } from './driver.ts';

export const sqlite = ({ database, params }: Target): Driver => ({
  placeholder: () => '?',
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  async connect() {
    if (!existsSync(database)) throw new Failure(`the SQLite file ${database} does not exist`, Exit.usage);
    const { DatabaseSync } = loadSqlite();
    const db = new DatabaseSync(database, { readOnly: params.get('mode') === 'ro', timeout: 10_000 });
    const prepare = (text: string) => {
      const statement = db.prepare(text);
      statement.setReadBigInts(true);
      return statement;
    };
    return {
      async *read(text, values) {
        let batch: Row[] = [];
        for (const row of prepare(text).iterate(...(values.map(input) as SQLInputValue[]))) {
          batch.push(output({ ...row }));
          if (batch.length < BATCH) continue;
          yield batch;
          batch = [];
        }
        if (batch.length > 0) yield batch;
      },
      run: async (text, values) => Number(prepare(text).run(...values.map(input)).changes),
      begin: async () => db.exec('begin immediate'),
      beginSnapshot: async () => db.exec('begin'),
      commit: async () => db.exec('commit'),
      rollback: async () => db.exec('rollback'),
      close: async () => db.close(),
    };
  },
});

function input(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (value === undefined) return null;
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
    ? JSON.stringify(value)
    : (value as SQLInputValue);
}

function output(row: Row): Row {
  for (const name in row) {
    const value = row[name];
    if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) row[name] = Number(value);
  }
  return row;
}

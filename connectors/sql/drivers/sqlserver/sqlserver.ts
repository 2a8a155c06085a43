import mssql from 'mssql';
import type { Target } from '../../dsn.ts';
import { batched, type Driver, type Row } from '../driver.ts';

export const sqlServer = ({ host, port, user, password, database, params }: Target): Driver => ({
  placeholder: (position) => `@p${position}`,
  async connect() {
    const pool = await new mssql.ConnectionPool({
      server: host,
      ...(port ? { port } : {}),
      user,
      password,
      ...(database ? { database } : {}),
      pool: { max: 1 },
      requestTimeout: 120_000,
      options: {
        encrypt: params.get('encrypt') !== 'disable' && params.get('encrypt') !== 'false',
        trustServerCertificate: /^true$/i.test(
          params.get('TrustServerCertificate') ?? params.get('trustservercertificate') ?? '',
        ),
      },
    }).connect();
    let transaction: InstanceType<typeof mssql.Transaction> | undefined;
    const request = (values: unknown[]) => {
      const made = transaction ? transaction.request() : pool.request();
      for (const [at, value] of values.entries()) made.input(`p${at + 1}`, value ?? null);
      return made;
    };
    const end = async (how: 'commit' | 'rollback') => {
      const ended = transaction;
      transaction = undefined;
      await ended?.[how]();
    };
    const begin = async () => {
      transaction = pool.transaction();
      await transaction.begin();
    };
    return {
      async *read(text, values) {
        const made = request(values);
        const rows = made.toReadableStream();
        // Failures go to the request first.
        made.on('error', (error) => rows.destroy(error));
        made.query(text).catch(() => {});
        yield* batched(rows as AsyncIterable<Row>);
      },
      run: async (text, values) =>
        (await request(values).query(text)).rowsAffected.reduce((sum, n) => sum + n, 0),
      begin,
      // Snapshot isolation must be allowed per database; without it, the transaction reads committed rows.
      beginSnapshot: begin,
      commit: () => end('commit'),
      rollback: () => end('rollback'),
      close: () => pool.close(),
    };
  },
});

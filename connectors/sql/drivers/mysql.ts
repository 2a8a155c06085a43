import type { Connection } from 'mysql2';
import mysql from 'mysql2/promise';
import type { Target } from '../dsn.ts';
import { batched, type Driver, type Row } from './driver.ts';

type Values = Parameters<mysql.Connection['execute']>[1];

export const mysqlOrMariaDb = ({ host, port, user, password, database, params }: Target): Driver => ({
  placeholder: () => '?',
  quote: (name) => `\`${name.replaceAll('`', '``')}\``,
  async connect() {
    const tls = params.get('tls') ?? 'false';
    const socketPath = params.get('socket');
    const db = await mysql.createConnection({
      host,
      port: port ?? 3306,
      user,
      password,
      ...(database ? { database } : {}),
      ...(socketPath ? { socketPath } : {}),
      ...(tls === 'true' ? { ssl: {} } : tls === 'skip-verify' ? { ssl: { rejectUnauthorized: false } } : {}),
      charset: params.get('charset') ?? 'utf8mb4',
      connectTimeout: 20_000,
      dateStrings: true,
      supportBigNumbers: true,
      typeCast: (field, next) => (field.type === 'BIT' ? bitsOf(field.buffer()) : next()),
    });
    db.on('error', () => {});
    const tell = async (text: string) => void (await db.query(text));
    return {
      read: (text, values) => batched(stream(db, text, values)),
      async run(text, values) {
        const [result] = await db.execute(text, values.map(input) as Values);
        return 'affectedRows' in result ? result.affectedRows : 0;
      },
      begin: () => tell('start transaction'),
      async beginSnapshot() {
        await tell('set transaction isolation level repeatable read');
        await tell('start transaction with consistent snapshot, read only');
      },
      commit: () => tell('commit'),
      rollback: () => tell('rollback'),
      close: async () => db.destroy(),
    };
  },
});

async function* stream(db: mysql.Connection, text: string, values: unknown[]): AsyncGenerator<Row> {
  // Only the connection below the promises can stream.
  const { connection } = db as unknown as { connection: Connection };
  const rows = connection.execute(text, values.map(input) as never).stream({ highWaterMark: 200 });
  // A lost connection is reported to the connection only: without this, the stream would wait for ever.
  const fail = (error: Error) => void rows.destroy(error);
  connection.on('error', fail);
  try {
    yield* rows as AsyncIterable<Row>;
  } finally {
    connection.off('error', fail);
  }
}

/** Flags are often of the type BIT(1), which the driver returns as bytes. */
const bitsOf = (bytes: Buffer | null) => bytes && Number(`0x${bytes.toString('hex')}`);

/** A number would be sent as a double, which LIMIT does not accept. */
function input(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return typeof value === 'bigint' ? String(value) : value;
}

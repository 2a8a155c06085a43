import pg from 'pg';
import Cursor from 'pg-cursor';
import type { Target } from '../dsn.ts';
import { BATCH, type Driver, type Row } from './driver.ts';

/**
 * Dates and times stay texts: JavaScript would cut off microseconds, and a cursor would skip rows. So do bytes: PostgreSQL reads its
 * own spelling, such as \x00ff, as a parameter too.
 */
const TEXTS = new Set([17, 1082, 1083, 1114, 1184, 1266]);
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    TEXTS.has(oid) ? String : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

export const postgres = ({ host, port, user, password, database, params }: Target): Driver => ({
  placeholder: (position) => `$${position}`,
  quote: (name) => pg.escapeIdentifier(name),
  async connect() {
    const mode = params.get('sslmode') ?? 'prefer';
    const ssl = mode.startsWith('verify')
      ? {}
      : mode === 'require'
        ? { rejectUnauthorized: false }
        : undefined;
    const client = new pg.Client({
      host,
      port,
      user,
      password,
      database: database || 'postgres',
      types,
      connectionTimeoutMillis: 20_000,
      ...(ssl ? { ssl } : {}),
    });
    // A cursor is not told that the connection is lost between two reads, and would wait for ever.
    const lost = new Promise<never>((_, reject) => {
      client.on('error', reject);
      client.once('end', () => reject(new Error('Connection terminated')));
    });
    lost.catch(() => {});
    const unlessLost = <T>(work: Promise<T>): Promise<T> => Promise.race([work, lost]);
    await client.connect();
    const tell = async (text: string) => void (await unlessLost(client.query(text)));
    return {
      async *read(text, values) {
        const cursor = client.query(new Cursor<Row>(text, values, { types } as never));
        try {
          for (;;) {
            const rows = await unlessLost(cursor.read(BATCH));
            if (rows.length === 0) return;
            yield rows;
          }
        } finally {
          await unlessLost(cursor.close()).catch(() => {});
        }
      },
      run: async (text, values) => (await unlessLost(client.query(text, values))).rowCount ?? 0,
      begin: () => tell('begin'),
      beginSnapshot: () => tell('begin isolation level repeatable read read only'),
      commit: () => tell('commit'),
      rollback: () => tell('rollback'),
      close: () => unlessLost(client.end()).catch(() => {}),
    };
  },
});

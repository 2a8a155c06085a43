import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { StartError } from '../errors.ts';
import type { Database } from './database.ts';
import { onFirstConnection } from './first-connection.ts';
import { requireUsable } from './requirements.ts';
import { preparing } from './session.ts';

/** A PostgreSQL on which all statements run in one transaction. */
export interface OneTransaction extends Pick<Database, 'db' | 'exec'> {
  /** The database and its server, without user and password, as in `gatehouse at db.internal:5432`. */
  name: string;
  /** Runs `copy … from stdin` with these bytes. Returns the number of rows. */
  copyIn(text: string, chunks: AsyncIterable<Uint8Array>): Promise<number>;
  /** Runs `copy … to stdout`. */
  copyOut(text: string): AsyncIterable<Uint8Array>;
}

/** The process also reads elsewhere between two statements. */
const LONGEST_PAUSE = '15min';

/** The outcome of a commit whose reply was lost. */
export class UnknownOutcome extends StartError {}

/**
 * Runs `work` in one transaction on the database at `url`, which `setting` has, and commits what it did. Without a commit, or if this process dies,
 * the database stays as it was. Throws StartError if the database cannot be reached or used, and UnknownOutcome if nobody knows
 * whether the commit succeeded.
 */
export function inOneTransaction<T>(
  setting: string,
  url: string,
  work: (database: OneTransaction) => Promise<T>,
): Promise<T> {
  return onFirstConnection(setting, url, async (client) => {
    await requireUsable(client);
    await preparing({ idle_in_transaction_session_timeout: LONGEST_PAUSE })(client);
    await client.query('begin');
    const done = await work(transactionOn(client));
    await commit(client);
    return done;
  });
}

async function commit(client: pg.Client): Promise<void> {
  const { command } = await client.query('commit').catch((error: Error & { severity?: string }) => {
    // PostgreSQL itself refused.
    if (error.severity === 'ERROR') throw error;
    throw new UnknownOutcome('The connection was lost during the commit.', { cause: error });
  });
  if (command !== 'COMMIT')
    throw new Error('The transaction was rolled back, because one of its statements failed.');
}

function transactionOn(client: pg.Client): OneTransaction {
  // Kysely asks for a connection for each statement, and gets the one with the transaction.
  const lent = {
    query: client.query.bind(client) as never,
    release: () => {},
  };
  const dialect = new PostgresDialect({
    pool: { options: {}, connect: async () => lent, end: async () => {} },
  });
  return {
    name: `${client.database} at ${client.host.startsWith('/') ? client.host : `${client.host}:${client.port}`}`,
    db: new Kysely<object>({ dialect }),
    exec: async (text) => {
      await client.query(text);
    },
    copyIn: async (text, chunks) => {
      const stream = client.query(copyFrom(text));
      await pipeline(Readable.from(chunks, { objectMode: true, highWaterMark: 1 }), stream);
      return stream.rowCount;
    },
    copyOut: (text) => client.query(copyTo(text)),
  };
}

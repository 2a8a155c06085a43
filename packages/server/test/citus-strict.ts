// Lets statements that a test itself sends go to several shards. Those of the server must go to the shard of one
// organization: the databases of the tests refuse all others (citus.ts).
import pg from 'pg';
import { isFromTest, serverFrames } from './sender.ts';

const ORIGINAL = Symbol.for('gatehouse.query');
const LENIENT = 'set citus.multi_task_query_log_level = off';
const STRICT = `set citus.multi_task_query_log_level = 'error'`;

type Query = (this: pg.Client & { lenient?: boolean }, ...parameters: unknown[]) => unknown;
const prototype = pg.Client.prototype as unknown as { query: Query; [ORIGINAL]?: Query };
prototype[ORIGINAL] ??= prototype.query;
const query = prototype[ORIGINAL];

prototype.query = function (...parameters) {
  const isLenient = isFromTest(serverFrames());
  if (isLenient || this.lenient === true) {
    this.lenient = isLenient;
    // In a failed transaction, this statement fails too. The one that follows it says why.
    (query.call(this, isLenient ? LENIENT : STRICT) as Promise<unknown>).catch(() => {});
  }
  return query.apply(this, parameters);
};

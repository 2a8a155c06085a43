import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';

export interface PgliteOptions {
  dataDir: string;
  program: WebAssembly.Module;
}

/** A call from the main thread. Calls run one at a time, in the order in which they arrive. */
export type Call =
  | { do: 'query'; text: string; values: readonly unknown[] }
  | { do: 'exec'; text: string }
  | { do: 'copy'; text: string }
  | { do: 'listen' | 'unlisten'; channel: string }
  | { do: 'close' };

/** The result of one statement. Rows travel as lists of values, which are cheaper to copy than objects. */
export interface Copy {
  columns: string[];
  rows: unknown[][];
  command: string | undefined;
  affected: number | undefined;
  /** The output of `copy … to '/dev/blob'`. */
  bytes?: Uint8Array;
}

export type Message =
  | { kind: 'ready' }
  | { kind: 'done'; id: number; results: Copy[] }
  | { kind: 'failed'; id: number; error: FailedStatement }
  | { kind: 'notification'; channel: string; payload: string };

/** An error of PostgreSQL, without the statement and its values, which must not reach the log. */
export type FailedStatement = { message: string; stack: string | undefined } & Record<string, unknown>;

const ERROR_FIELDS = [
  'name',
  'code',
  'severity',
  'detail',
  'hint',
  'schema',
  'table',
  'column',
  'constraint',
];

/** JavaScript reads "0001-01-01 00:00:00+00" as 2001, so the text must be in its own format. */
const isoOf = (text: string) =>
  text.replace(
    /^(\d{4,}-\d\d-\d\d) (.*?)([+-]\d\d)(?::?(\d\d))?$/,
    (_, day: string, time: string, hours: string, minutes = '00') =>
      `${day.length > 10 ? `+${day.padStart(12, '0')}` : day}T${time}${hours}:${minutes}`,
  );

const port = parentPort as NonNullable<typeof parentPort>;
const send = (message: Message) => port.postMessage(message);

/** PGlite fills its buffers with zeros when it starts, so all of them take memory. The system caches the files of the folder as well. */
const SHARED_BUFFERS = '32MB';

const { dataDir, program } = workerData as PgliteOptions;
const pglite = await PGlite.create({
  dataDir,
  pgliteWasmModule: program,
  startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${SHARED_BUFFERS}`],
  extensions: { pg_trgm },
  parsers: {
    20: Number,
    1184: (text) => new Date(isoOf(text)),
  },
});
const unsubscribe = new Map<string, () => Promise<void>>();

async function run(call: Call): Promise<Copy[]> {
  switch (call.do) {
    case 'query':
      return [copyOf(await pglite.query<unknown[]>(call.text, [...call.values], { rowMode: 'array' }))];
    case 'exec':
      return (await pglite.exec(call.text, { rowMode: 'array' })).map((result) =>
        copyOf(result as unknown as Parameters<typeof copyOf>[0]),
      );
    case 'copy': {
      const { blob, affectedRows } = await pglite.query(call.text);
      const bytes = new Uint8Array((await blob?.arrayBuffer()) ?? []);
      return [{ columns: [], rows: [], command: 'COPY', affected: affectedRows, bytes }];
    }
    case 'listen':
      unsubscribe.set(
        call.channel,
        await pglite.listen(call.channel, (payload) =>
          send({ kind: 'notification', channel: call.channel, payload }),
        ),
      );
      return [];
    case 'unlisten':
      await unsubscribe.get(call.channel)?.();
      unsubscribe.delete(call.channel);
      return [];
    case 'close':
      await pglite.close();
      return [];
  }
}

const copyOf = ({
  fields,
  rows,
  command,
  affectedRows,
}: {
  fields: { name: string }[];
  rows: unknown[][];
  command?: string;
  affectedRows?: number;
}): Copy => ({ columns: fields.map(({ name }) => name), rows, command, affected: affectedRows });

function failureOf(error: unknown): FailedStatement {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const fields = ERROR_FIELDS.map((field) => [field, (error as Record<string, unknown>)[field]] as const);
  return { ...Object.fromEntries(fields.filter(([, value]) => typeof value === 'string')), message, stack };
}

let tail: Promise<void> = Promise.resolve();

port.on('message', ({ id, call }: { id: number; call: Call }) => {
  tail = tail.then(async () => {
    try {
      send({ kind: 'done', id, results: await run(call) });
    } catch (error) {
      send({ kind: 'failed', id, error: failureOf(error) });
    }
    if (call.do === 'close') port.close();
  });
});

send({ kind: 'ready' });

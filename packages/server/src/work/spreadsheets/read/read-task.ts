import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { DomainError } from '#kit/errors.ts';
import { nfc } from '#kit/nfc.ts';
import type { Sentence } from '#kit/sentences.ts';
import { type AccountMapping, type AccountRecord, accountPages } from '../accounts.ts';
import type { Column } from '../guess.ts';
import { Order } from '../order.ts';
import { clean, type Problem } from '../problem.ts';
import { openSpreadsheet, type Spreadsheet } from './open.ts';
import type { Layout, ReadOptions, SheetRow } from './sheet.ts';

/** The part of a file that a worker reads: the columns, the problems of an app's rows, their records, or plain rows. */
export type Task =
  | { read: 'columns'; options: ReadOptions /** To find one that identifies each row. */; compares: boolean }
  | {
      read: 'problems' | 'records';
      options: ReadOptions;
      mapping: AccountMapping;
      /** The accounts of the last applied upload. Null if there was none. */
      last?: Uint8Array | null;
    }
  | { read: 'rows'; options: ReadOptions };

/** A message of the worker. Each has an id and gets one reply with that id, so that neither side runs ahead. */
export type Message =
  | { type: 'chunk'; number: number }
  | { type: 'items'; items: unknown[] }
  | { type: 'done'; result: unknown }
  | { type: 'refused'; code: DomainError['code']; said: Sentence };

export interface Columns {
  layout: Layout;
  columns: Column[];
}

export interface Count {
  rows: number;
  problems: number;
  /** Accounts, which are fewer than rows if these are merged. */
  records: number;
  hiddenRows: number;
  /** The groups and licenses that the rows name, by the slug of their type, up to the most that are compared. */
  names: Record<string, string[]>;
  /** The accounts in the order of the file (see Order). */
  order: Uint8Array;
  /** The number of accounts that followed the last one in the last applied upload, if only those are missing. */
  missingTail: number;
}

export interface RowsRead {
  hiddenRows: number;
}

const port = parentPort as MessagePort;
const SAMPLES = 5;
const SAMPLED_ROWS = 50;
/** The rows in which values are compared, to find a column that identifies each row. The check compares the IDs of all rows. */
const COMPARED_ROWS = 20_000;
/** The room for these values in characters, with what a set takes for each. A file with more has fewer of its rows compared. */
const COMPARED_ROOM = 4_000_000;
const ROOM_OF_VALUE = 16;
const MOST_PROBLEMS = 100_000;
const BATCH = 500;
const BATCH_CHARACTERS = 1_000_000;

const waiting = new Map<number, (value: unknown) => void>();
let asked = 0;
port.on('message', ({ id, value }: { id: number; value: unknown }) => {
  waiting.get(id)?.(value);
  waiting.delete(id);
});

/** Sends a message and waits for its reply. The next chunk may be asked for while items are being taken. */
const ask = (message: Message): Promise<unknown> =>
  new Promise((resolve) => {
    asked += 1;
    waiting.set(asked, resolve);
    port.postMessage({ id: asked, message });
  });

async function* chunks(): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number++) {
    const bytes = (await ask({ type: 'chunk', number })) as Uint8Array | null;
    if (bytes === null) return;
    yield bytes;
  }
}

async function columnsOf(
  { layout, headers, hiddenColumns, rows }: Spreadsheet,
  compares: boolean,
): Promise<Columns> {
  const columns: Column[] = headers.map((name, index) => ({
    name,
    samples: [],
    hidden: hiddenColumns.has(index),
  }));
  const seen = headers.map(() => new Set<string>());
  let read = 0;
  let room = compares ? COMPARED_ROOM : 0;
  for await (const { cells } of rows) {
    read += 1;
    for (const [index, column] of columns.entries()) {
      const cell = clean(cells[index] ?? '');
      if (read <= SAMPLED_ROWS) sample(column, cell);
      if (!compares) continue;
      column.values = valuesAfter(column.values, seen[index] as Set<string>, cell);
      if (column.values === 'distinct') room -= cell.length + ROOM_OF_VALUE;
    }
    if (read === COMPARED_ROWS || (read >= SAMPLED_ROWS && room <= 0)) break;
  }
  return { layout, columns };
}

function sample({ samples }: Column, cell: string) {
  if (cell !== '' && samples.length < SAMPLES && !samples.includes(cell)) samples.push(cell);
}

/** Forgets the values of a column once two cells are equal or one is empty. */
function valuesAfter(before: Column['values'] = 'distinct', seen: Set<string>, cell: string) {
  if (before === 'missing' || cell === '') {
    seen.clear();
    return 'missing';
  }
  if (before === 'repeated') return before;
  const key = nfc(cell).toLowerCase();
  if (!seen.has(key)) {
    seen.add(key);
    return before;
  }
  seen.clear();
  return 'repeated';
}

/** Passes items on in batches. */
function batches() {
  let items: unknown[] = [];
  const flush = async () => {
    if (items.length === 0) return;
    const batch = items;
    items = [];
    await ask({ type: 'items', items: batch });
  };
  return { items: () => items, flush };
}

/** Names are compared with each other. A file with more of them has other reasons to be looked at. */
const MOST_NAMES = 20_000;

/** Collects the names of groups and licenses. */
function namesIn() {
  const names: Record<string, Set<string>> = {};
  let count = 0;
  return {
    add({ memberships = {}, assignments = {} }: AccountRecord) {
      for (const [slug, refs] of [...Object.entries(memberships), ...Object.entries(assignments)])
        for (const { name } of refs) {
          names[slug] ??= new Set();
          if (count >= MOST_NAMES || names[slug].has(name)) continue;
          names[slug].add(name);
          count += 1;
        }
    },
    bySlug: () => Object.fromEntries(Object.entries(names).map(([slug, some]) => [slug, [...some]])),
  };
}

async function readAccounts(
  { headers, rows, hiddenRows }: Spreadsheet,
  { mapping, read, last = null }: Task & { read: 'problems' | 'records' },
): Promise<Count> {
  const count = { rows: 0, problems: 0, records: 0 };
  const order = new Order();
  const names = namesIn();
  const { items, flush } = batches();
  const counted = async function* (): AsyncGenerator<SheetRow> {
    for await (const row of rows) {
      count.rows += 1;
      yield row;
    }
  };
  const report = (problem: Problem) => {
    count.problems += 1;
    if (read === 'problems' && count.problems <= MOST_PROBLEMS) items().push(problem);
  };
  for await (const page of accountPages(headers, counted(), mapping, report)) {
    count.records += page.length;
    for (const record of page) {
      order.add(record.id);
      names.add(record);
    }
    if (read === 'records') await ask({ type: 'items', items: page });
    if (items().length >= BATCH) await flush();
  }
  await flush();
  return {
    ...count,
    hiddenRows: hiddenRows(),
    names: names.bySlug(),
    order: order.bytes(),
    missingTail: last === null ? 0 : order.missingTail(last),
  };
}

async function readRows({ rows, hiddenRows }: Spreadsheet): Promise<RowsRead> {
  const { items, flush } = batches();
  let characters = 0;
  for await (const row of rows) {
    items().push(row);
    for (const cell of row.cells) characters += cell.length;
    if (items().length < BATCH && characters < BATCH_CHARACTERS) continue;
    await flush();
    characters = 0;
  }
  await flush();
  return { hiddenRows: hiddenRows() };
}

async function run(task: Task): Promise<unknown> {
  const sheet = await openSpreadsheet(chunks, task.options);
  if (task.read === 'columns') return columnsOf(sheet, task.compares);
  if (task.read === 'rows') return readRows(sheet);
  return readAccounts(sheet, task);
}

try {
  await ask({ type: 'done', result: await run(workerData as Task) });
} catch (error) {
  if (!(error instanceof DomainError)) throw error;
  await ask({ type: 'refused', code: error.code, said: error.sentence });
}

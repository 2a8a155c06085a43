// Compares the transactions of the server in this process with the order of locks (src/kit/database/lock-order.ts). The text of a
// statement says which tables it locks, so a statement counts even if it finds no row.
import pg from 'pg';
import { LATE_LOCKS, LOCK_ORDER } from '#kit/database/lock-order.ts';
import { usesOf } from '../../../scripts/table-owners/sql.ts';
import { isFromTest, senderOf, serverFrames } from './sender.ts';

type Query = (this: object, ...parameters: unknown[]) => unknown;

/** The tables that an open transaction has locked, each with the statement that did so first. */
type Locked = Map<string, string>;

const ORDER = Object.keys(LOCK_ORDER);
const open = new WeakMap<object, Locked>();
const tablesOfText = new Map<string, string[]>();
const violations = new Set<string>();
let transactions = 0;
let isRecording = false;

/** Compares all transactions from now on. */
export function startComparing(): void {
  if (isRecording) return;
  isRecording = true;
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function (...parameters) {
    const text = textOf(parameters[0]);
    if (text !== undefined) follow(this, text);
    return query.apply(this, parameters);
  };
}

/** Returns what was found since the last call, as sentences. */
export function takeViolations(): string[] {
  const found = [...violations];
  violations.clear();
  return found;
}

/** Returns how many transactions have locked rows of at least two tables of the order. */
export const comparedTransactions = (): number => transactions;

function textOf(query: unknown): string | undefined {
  if (typeof query === 'string') return query;
  const text = (query as { text?: unknown } | null)?.text;
  return typeof text === 'string' ? text : undefined;
}

function follow(client: object, text: string) {
  // The queue sends whole transactions as one text.
  if (/^(begin|start transaction)[^;]*$/i.test(text)) open.set(client, new Map());
  else if (/^(commit|rollback)(?! to)/i.test(text)) {
    if ((open.get(client)?.size ?? 0) > 1) transactions += 1;
    open.delete(client);
  } else {
    const locked = open.get(client);
    if (locked !== undefined) lock(locked, text);
  }
}

/** Notes the locks of a statement. The tables of one statement count as locked at the same time. */
function lock(locked: Locked, text: string) {
  const tables = lockedBy(text).filter((table) => !locked.has(table));
  for (const table of tables) {
    const late = [...locked].find(([earlier]) => ORDER.indexOf(earlier) > ORDER.indexOf(table));
    if (late !== undefined) report(table, text, late);
  }
  for (const table of tables) locked.set(table, text);
}

function lockedBy(text: string): string[] {
  let tables = tablesOfText.get(text);
  if (tables === undefined) {
    const { writes, locks } = usesOf(text);
    tables = ORDER.filter((table) => writes.has(table) || locks.has(table));
    tablesOfText.set(text, tables);
  }
  return tables;
}

function report(table: string, text: string, [after, earlier]: [string, string]) {
  const frames = serverFrames();
  if (isFromTest(frames)) return;
  const isException = LATE_LOCKS.some(
    ({ by, locks, after: later }) =>
      locks === table &&
      later === after &&
      frames.some((frame) => new RegExp(`[ .](${by.join('|')}) \\(`).test(frame)),
  );
  if (isException) return;
  violations.add(
    `A transaction locks ${table} after ${after}, against the order of locks (src/kit/database/lock-order.ts).\n` +
      `First: ${oneLine(earlier)}\nThen: ${oneLine(text)}\nBy: ${(senderOf(frames) ?? frames[0] ?? '').trim()}`,
  );
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

import { keepingPlace } from '../place.ts';
import type { Db, Tx } from './database.ts';
import { connectionOf, type OrgDb } from './organization.ts';
import { mayPostpone, sendWithCommit } from './with-commit.ts';

/**
 * A kind of change that brings work: new events in a log, tasks that have become pending or may become so, queued or canceled runs
 * of connectors, messages to send. `sign_ins` through a provider that have ended bring none, but others wait for them.
 */
export type Signal = 'events' | 'tasks' | 'runs' | 'messages' | 'sign_ins';

type Listener = (signal: Signal) => void;
const listeners = new WeakMap<Db, Set<Listener>>();
const raised = new WeakMap<Db, Set<Signal>>();
const roots = new WeakMap<Db, Db>();

/**
 * Wakes the loops of this process that wait for the signal. In a transaction, they wake when it commits. Other nodes find the
 * work when they look for it the next time.
 */
export function raise(where: Db | OrgDb, signal: Signal): void {
  const db = connectionOf(where);
  if (db.isTransaction) raised.get(db)?.add(signal);
  else for (const listener of listeners.get(db) ?? []) listener(signal);
}

/** Calls `listener` for each signal raised on this database, until the returned function is called. */
export function listen(db: Db, listener: Listener): () => void {
  const all = listeners.get(db) ?? new Set();
  listeners.set(db, all.add(listener));
  return () => {
    all.delete(listener);
  };
}

/** Runs `work` in a transaction, and raises its signals after the commit. */
export async function committing<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const signals = new Set<Signal>();
  const result = await keepingPlace(() =>
    db.transaction().execute(async (tx) => {
      raised.set(tx, signals);
      roots.set(tx, db);
      mayPostpone(tx);
      const result = await work(tx);
      await sendWithCommit(tx);
      return result;
    }),
  );
  for (const signal of signals) raise(db, signal);
  return result;
}

/** Returns the database of a transaction, and a database itself. */
export const rootOf = (db: Db): Db => roots.get(db) ?? db;

import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync as Database } from 'node:sqlite';
import { Exit, Failure } from './errors.ts';

/** How far a session has come. Everything in it is as of the last place that a list can be resumed at. */
export type Checkpoint = {
  session: string;
  /** Of the connector: another version may list differently, so it does not resume. */
  version: string;
  startedAt: number;
  /** Types that have been listed and pushed to their end. */
  done: string[];
  /** The type whose list goes on behind `token`. */
  slug?: string | undefined;
  token?: string | undefined;
  /** Ids seen at or after this mark came later than the checkpoint, and are listed again after a crash. */
  mark: number;
  pushed: Record<string, number>;
  refs: number;
  problems: number;
};

/** A task that was begun, and what came of it, kept until the service has the report. */
export type JournalEntry = { task: string; stage: 'begun' | 'executed' | 'reported'; body: unknown };

export type Lock = { release(): void };
export type State = ReturnType<typeof openState>;

/** Where a connector keeps what it must remember about one app. */
export function stateFolder(appId: string, env: Readonly<Record<string, string | undefined>>): string {
  const base =
    env.GATEHOUSE_STATE_DIR || join(env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'gatehouse');
  return join(base, appId);
}

const tables = `
  create table if not exists seen (slug text, id text, mark integer, primary key (slug, id)) without rowid;
  create table if not exists known (slug text, id text, mark integer, primary key (slug, id)) without rowid;
  create table if not exists facts (name text primary key, value text) without rowid;
`;

/**
 * What must outlive a crash: the checkpoint and ids of the open session, the ids of the last completed one, the
 * journal of tasks. In SQLite, since its transactions hold through SIGKILL, it keeps a million ids out of memory, and
 * its locks end with the process that held them.
 */
export function openState(folder: string) {
  const { DatabaseSync } = sqlite();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const db: Database = new DatabaseSync(join(folder, 'state.db'), { timeout: 10_000 });
  db.exec('pragma journal_mode = wal; pragma synchronous = normal;');
  db.exec(tables);
  // Of its own, so that each entry is on the disk before a task is executed, and pages need not wait for the disk.
  const journal: Database = new DatabaseSync(join(folder, 'journal.db'), { timeout: 10_000 });
  journal.exec('pragma journal_mode = wal; pragma synchronous = full;');
  journal.exec(
    'create table if not exists journal (task text primary key, stage text, body text, at integer)',
  );

  const insertSeen = db.prepare('insert or ignore into seen (slug, id, mark) values (?, ?, ?)');
  const selectSeen = db.prepare('select 1 from seen where slug = ? and id = ?');
  const clearSeen = db.prepare('delete from seen where slug = ? and mark >= ?');
  const countKnown = db.prepare('select count(*) as n from known where slug = ?');
  const countGone = db.prepare(
    'select count(*) as n from known where slug = ? and not exists (select 1 from seen where seen.slug = known.slug and seen.id = known.id)',
  );
  const setFact = db.prepare('insert or replace into facts (name, value) values (?, ?)');
  const getFact = db.prepare('select value from facts where name = ?');
  const dropFact = db.prepare('delete from facts where name = ?');
  const writeJournal = journal.prepare(
    'insert or replace into journal (task, stage, body, at) values (?, ?, ?, ?)',
  );
  const readJournal = journal.prepare('select task, stage, body from journal where task = ?');
  const listJournal = journal.prepare('select task, stage, body from journal order by at, task');
  const dropJournal = journal.prepare('delete from journal where task = ?');

  const number = (row: Record<string, unknown> | undefined) => Number(row?.n ?? 0);
  const fact = <T>(name: string): T | undefined => {
    const row = getFact.get(name);
    return row ? (JSON.parse(String(row.value)) as T) : undefined;
  };
  const transaction = <T>(work: () => T): T => {
    db.exec('savepoint work');
    try {
      return work();
    } catch (error) {
      db.exec('rollback to work');
      throw error;
    } finally {
      db.exec('release work');
    }
  };
  const entry = (row: Record<string, unknown>): JournalEntry => ({
    task: String(row.task),
    stage: row.stage as JournalEntry['stage'],
    body: JSON.parse(String(row.body)),
  });

  return {
    /** False when the id had been seen in this session already. */
    see: (slug: string, id: string, mark: number): boolean => insertSeen.run(slug, id, mark).changes > 0,
    hasSeen: (slug: string, id: string): boolean => selectSeen.get(slug, id) !== undefined,
    /** What was seen of a type from this mark on is about to be listed again. */
    forget: (slug: string, mark: number): void => void clearSeen.run(slug, mark),

    checkpoint: (): Checkpoint | undefined => fact<Checkpoint>('checkpoint'),
    saveCheckpoint: (checkpoint: Checkpoint): void =>
      void setFact.run('checkpoint', JSON.stringify(checkpoint)),
    /** No session is open any more that could be gone on with. */
    dropCheckpoint(): void {
      transaction(() => {
        dropFact.run('checkpoint');
        db.exec('delete from seen');
      });
    },
    /** What this session saw is from now on what the last completed one saw. */
    commitSession(refs: number): void {
      transaction(() => {
        db.exec('drop table known; alter table seen rename to known;');
        db.exec(tables);
        setFact.run('refs', JSON.stringify(refs));
        dropFact.run('checkpoint');
      });
    },
    /** Refs that the last completed session held; undefined when there was none. */
    knownRefs: (): number | undefined => fact<number>('refs'),
    countKnown: (slug: string): number => number(countKnown.get(slug)),
    countGone: (slug: string): number => number(countGone.get(slug)),

    writeJournal: (task: string, stage: JournalEntry['stage'], body: unknown): void =>
      void writeJournal.run(task, stage, JSON.stringify(body), Date.now()),
    readJournal(task: string): JournalEntry | undefined {
      const row = readJournal.get(task);
      return row && entry(row);
    },
    listJournal: (): JournalEntry[] => listJournal.all().map(entry),
    dropJournal: (task: string): void => void dropJournal.run(task),

    transaction,
    /** Runs `work` and undoes what it wrote here: for a dry run. */
    async rehearse<T>(work: () => Promise<T>): Promise<T> {
      db.exec('begin immediate');
      try {
        return await work();
      } finally {
        db.exec('rollback');
      }
    },
    /**
     * Taken by whoever opens a session (`sync`: a start cancels an open one, contract 3.1) or executes tasks (`tasks`).
     * It ends with the process, whatever ends that.
     */
    lock(name: 'sync' | 'tasks'): Lock {
      const lock: Database = new DatabaseSync(join(folder, `${name}.lock`), { timeout: 0 });
      try {
        lock.exec('begin exclusive');
      } catch (error) {
        lock.close();
        throw new Failure(
          `another process is at work on this app (${name} is locked in ${folder})`,
          Exit.failed,
          { cause: error },
        );
      }
      return { release: () => lock.close() };
    },
    close(): void {
      db.close();
      journal.close();
    },
  };
}

/** Loads SQLite without the warning that Node 22 and 24 print for it. */
function sqlite(): typeof import('node:sqlite') {
  const emit = process.emitWarning;
  process.emitWarning = () => {};
  try {
    const loaded = process.getBuiltinModule?.('node:sqlite');
    if (!loaded)
      throw new Failure(`Node.js 22.13 or newer is needed; this is ${process.version}`, Exit.usage);
    return loaded;
  } finally {
    process.emitWarning = emit;
  }
}

import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync as Database } from 'node:sqlite';
import type { Chosen } from './candidates.ts';
import { Exit, Failure } from './errors.ts';
import type { FieldCounts } from './fields.ts';
import { loadSqlite } from './sqlite.ts';
import { goneStore, unseenStore } from './state-lists.ts';

/** The progress of a session, as of the last place at which a listing can resume. */
export type Checkpoint = {
  session: string;
  /** The connector's version. Another version may list differently, so it does not resume. */
  version: string;
  startedAt: number;
  /** Resource types that were pushed completely. */
  done: string[];
  /** The resource type whose listing resumes after `token`. */
  slug?: string | undefined;
  token?: string | undefined;
  /** Ids seen at or after this mark are newer than the checkpoint and are listed again after a crash. */
  mark: number;
  pushed: Record<string, number>;
  /** Accounts that have access. */
  active: number;
  refs: number;
  /** How many records have each field. */
  fields: Record<string, number>;
  problems: number;
  /** Resource types whose records may move between pages while they are listed, and those of which a record was listed twice. */
  shifts?: string[];
  repeated?: string[];
};

/** A task in progress and its outcome, kept until the service has received the report. */
export type JournalEntry = { task: string; stage: 'begun' | 'executed' | 'reported'; body: unknown };

export type Lock = { release(): void };
export type State = ReturnType<typeof openState>;

/** Returns the folder in which a connector keeps its state of one app. */
export function stateFolder(appId: string, env: Readonly<Record<string, string | undefined>>): string {
  const base =
    env.GATEHOUSE_STATE_DIR || join(env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'gatehouse');
  return join(base, appId);
}

/** A state of another format is forgotten: the guard then compares with the service. */
const FORMAT = 3;

/**
 * `position`: grows in the order of the listing. `active`: 1 for an account that has access, and for every group and license. `chosen`:
 * the values that `choose` has taken.
 */
const tables = `
  create table if not exists seen (position integer primary key, slug text, id text, mark integer, active integer, chosen text, unique (slug, id));
  create table if not exists known (position integer primary key, slug text, id text, mark integer, active integer, chosen text, unique (slug, id));
  create table if not exists facts (name text primary key, value text) without rowid;
`;

/**
 * Opens the state that must survive a crash: the checkpoint and ids of the open session, the ids of the last completed one,
 * the journal of tasks. SQLite, because its transactions survive SIGKILL, it keeps a million ids out of memory, and its
 * locks end with the process that holds them.
 */
export function openState(folder: string) {
  const { DatabaseSync } = loadSqlite();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const db: Database = new DatabaseSync(join(folder, 'state.db'), { timeout: 10_000 });
  db.exec('pragma journal_mode = wal; pragma synchronous = normal;');
  if (db.prepare('pragma user_version').get()?.user_version !== FORMAT) {
    db.exec('drop table if exists seen; drop table if exists known; drop table if exists facts;');
    db.exec(`pragma user_version = ${FORMAT}`);
  }
  db.exec(tables);
  const unseen = unseenStore(db);
  const gone = goneStore(db);
  // A separate database: each entry must be on disk before a task runs, while pages need not wait for the disk.
  const journal: Database = new DatabaseSync(join(folder, 'journal.db'), { timeout: 10_000 });
  journal.exec('pragma journal_mode = wal; pragma synchronous = full;');
  journal.exec(
    'create table if not exists journal (task text primary key, stage text, body text, at integer)',
  );

  const insertSeen = db.prepare(
    'insert or ignore into seen (slug, id, mark, active, chosen) values (?, ?, ?, ?, ?)',
  );
  const selectChosen = db.prepare('select chosen from known where slug = ? and id = ?');
  const selectSeen = db.prepare('select 1 from seen where slug = ? and id = ?');
  const clearSeen = db.prepare('delete from seen where slug = ? and mark >= ?');
  const selectKnown = db.prepare('select 1 from known where slug = ? and id = ?');
  const countKnown = db.prepare('select count(*) as n from known where slug = ?');
  const countGone = db.prepare(
    'select count(*) as n from known where slug = ? and not exists (select 1 from seen where seen.slug = known.slug and seen.id = known.id)',
  );
  const countActive = db.prepare('select count(*) as n from known where slug = ? and active = 1');
  const countEnded = db.prepare(
    'select count(*) as n from known where slug = ? and active = 1 and not exists (select 1 from seen where seen.slug = known.slug and seen.id = known.id and seen.active = 1)',
  );
  const lastSeen = db.prepare('select id from seen where slug = ? order by position desc limit 1');
  const countBehind = db.prepare(`
    select count(*) as n, count(seen.id) as seen
      from known left join seen on seen.slug = known.slug and seen.id = known.id
     where known.slug = ?1 and known.position > (select position from known where slug = ?1 and id = ?2)`);
  const countIdle = db.prepare(
    'select count(*) as n from known join seen using (slug, id) where slug = ? and known.active = 0',
  );
  const countRevived = db.prepare(
    'select count(*) as n from known join seen using (slug, id) where slug = ? and known.active = 0 and seen.active = 1',
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
    /** Records an id. Returns false if this session has already seen it. */
    see: (slug: string, id: string, mark: number, active = true, chosen: string | null = null): boolean =>
      insertSeen.run(slug, id, mark, Number(active), chosen).changes > 0,
    hasSeen: (slug: string, id: string): boolean => selectSeen.get(slug, id) !== undefined,
    /** Forgets the ids of a type seen from this mark on, because they will be listed again. */
    forget: (slug: string, mark: number): void => void clearSeen.run(slug, mark),

    checkpoint: (): Checkpoint | undefined => fact<Checkpoint>('checkpoint'),
    saveCheckpoint: (checkpoint: Checkpoint): void =>
      void setFact.run('checkpoint', JSON.stringify(checkpoint)),
    /** Deletes the checkpoint: no session can be resumed. The service may have published what it pushed (protocol 4.7). */
    dropCheckpoint(): void {
      transaction(() => {
        dropFact.run('checkpoint');
        gone.introduceSeen();
        db.exec('delete from seen');
        unseen.forgetUnseen();
      });
    },
    ...unseen,
    ...gone,
    /**
     * Makes the ids of this session those of the last completed one. `syncedAt` is when the service completed it, if that is known.
     */
    commitSession(
      { refs, fields, pushed }: Pick<Checkpoint, 'refs' | 'fields' | 'pushed'>,
      syncedAt: string | null = null,
    ): void {
      transaction(() => {
        db.exec('drop table known; alter table seen rename to known;');
        db.exec(tables);
        db.exec('delete from introduced');
        unseen.forgetUnseen();
        setFact.run('synced_at', JSON.stringify(syncedAt));
        dropFact.run('unlisted');
        setFact.run('refs', JSON.stringify(refs));
        setFact.run('fields', JSON.stringify({ had: fields, records: pushed }));
        dropFact.run('checkpoint');
        dropFact.run('skipping_runs');
      });
    },
    /** Counts a run that skipped records. Returns how many there were since the last completed session. */
    countSkippingRun(): number {
      const runs = (fact<number>('skipping_runs') ?? 0) + 1;
      setFact.run('skipping_runs', JSON.stringify(runs));
      return runs;
    },
    /** When the service completed the last session of this state; null if that is not known. */
    syncedAt: (): string | null => fact<string | null>('synced_at') ?? null,
    /** Records of a type that exist and that the last run found in no list. */
    unlisted: (slug: string): string[] => fact<Record<string, string[]>>('unlisted')?.[slug] ?? [],
    noteUnlisted(slug: string, ids: string[]): void {
      const all = { ...fact<Record<string, string[]>>('unlisted'), [slug]: ids };
      setFact.run('unlisted', JSON.stringify(all));
    },
    /** The number of references in the last completed session; undefined if there was none. */
    knownRefs: (): number | undefined => fact<number>('refs'),
    /** How many records had each field in the last completed session. */
    knownFields: (): FieldCounts | undefined => fact<FieldCounts>('fields'),
    /** The values that the last completed session chose for a record. */
    chosen(slug: string, id: string): Chosen | undefined {
      const chosen = selectChosen.get(slug, id)?.chosen;
      return typeof chosen === 'string' ? (JSON.parse(chosen) as Chosen) : undefined;
    },
    /** True if the last completed session listed the record. */
    isKnown: (slug: string, id: string): boolean => selectKnown.get(slug, id) !== undefined,
    countKnown: (slug: string): number => number(countKnown.get(slug)),
    countGone: (slug: string): number => number(countGone.get(slug)),
    /** The number of records that followed the last one of this listing, if they are the only missing ones; otherwise 0. */
    countMissingTail(slug: string): number {
      const behind = countBehind.get(slug, lastSeen.get(slug)?.id ?? null);
      return behind?.seen === 0 && behind.n === countGone.get(slug)?.n ? number(behind) : 0;
    },
    /** The number of accounts that had access in the last completed session, and of those that have none in this one. */
    countActive: (slug: string): number => number(countActive.get(slug)),
    countEnded: (slug: string): number => number(countEnded.get(slug)),
    /** The number of accounts that had no access in the last completed session and are still listed, and of those that have it now. */
    countIdle: (slug: string): number => number(countIdle.get(slug)),
    countRevived: (slug: string): number => number(countRevived.get(slug)),

    writeJournal: (task: string, stage: JournalEntry['stage'], body: unknown): void =>
      void writeJournal.run(task, stage, JSON.stringify(body), Date.now()),
    readJournal(task: string): JournalEntry | undefined {
      const row = readJournal.get(task);
      return row && entry(row);
    },
    listJournal: (): JournalEntry[] => listJournal.all().map(entry),
    dropJournal: (task: string): void => void dropJournal.run(task),

    transaction,
    /** Runs `work` and rolls back its changes, for a dry run. */
    async rehearse<T>(work: () => Promise<T>): Promise<T> {
      db.exec('begin immediate');
      try {
        return await work();
      } finally {
        db.exec('rollback');
      }
    },
    /**
     * Locks the app for one process: `sync` to open a session, because a start cancels an open one (protocol 3.1), `tasks` to
     * carry out tasks. The lock ends with the process.
     */
    lock(name: 'sync' | 'tasks'): Lock {
      const lock: Database = new DatabaseSync(join(folder, `${name}.lock`), { timeout: 0 });
      try {
        lock.exec('begin exclusive');
      } catch (error) {
        lock.close();
        throw new Failure(
          `another process is working on this app (${name} is locked in ${folder})`,
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

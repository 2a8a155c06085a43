import type { Database } from '../database/database.ts';
import { pendingMigrations } from '../database/migrate.ts';
import { findNotes } from '../database/notes.ts';
import { tryWrite } from '../database/queries/writes.ts';
import { shareRuns } from '../database/shared-runs.ts';
import { isDiskFull, isWriteRefused } from '../database/sqlstate.ts';
import { StartError } from '../errors.ts';

export const NOT_READY = [
  'database unreachable',
  'database too new',
  'migrations pending',
  'sessions not kept',
  'writes failing',
] as const;

/** Why the service cannot work. `sentence` is for everybody, and `error` for the log. */
export interface NotReady {
  status: (typeof NOT_READY)[number];
  sentence: string;
  error?: unknown;
}

/** A question about the database. Each passes only after those before it. */
interface Check {
  name: string;
  find(): Promise<NotReady | undefined>;
}

export interface Readiness {
  /** Returns the first reason not to be ready. `onCheck` gets each check that was made. */
  find(onCheck?: (name: string, found: NotReady | undefined) => void): Promise<NotReady | undefined>;
  /** Returns what an operator should change although the service is ready, with its subject. */
  notes(): Promise<[about: string, sentence: string][]>;
}

/** Anybody may ask, as often as they like: callers at the same time share the checks that take long. */
export function openReadiness(database: Database): Readiness {
  const checkSessions = shareRuns(() => database.checkSessions());
  const checkWrites = shareRuns(() => tryWrite(database.db));
  const notes = shareRuns(() => findNotes(database, 'nameless'));
  const checks: Check[] = [
    { name: 'database', find: () => migrationsOf(database) },
    { name: 'sessions', find: () => checkSessions().then(() => undefined, sessionFailure) },
    { name: 'writes', find: () => checkWrites().then(() => undefined, writeFailure) },
  ];
  return {
    find: async (onCheck = () => {}) => {
      for (const { name, find } of checks) {
        const found = await find();
        onCheck(name, found);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    notes: async () => (await notes()).map(({ about, sentence }) => [about, sentence]),
  };
}

async function migrationsOf({ db }: Database): Promise<NotReady | undefined> {
  try {
    const pending = await pendingMigrations(db);
    if (pending.length === 0) return undefined;
    return {
      status: 'migrations pending',
      sentence: 'Migrations are pending. Start this version of Gatehouse again: it applies them.',
    };
  } catch (error) {
    if (error instanceof StartError) return { status: 'database too new', sentence: error.message, error };
    return unreachable(error);
  }
}

const unreachable = (error: unknown): NotReady => ({
  status: 'database unreachable',
  sentence: 'The database does not respond. The log of Gatehouse has the reason.',
  error,
});

const sessionFailure = (error: unknown): NotReady =>
  error instanceof StartError
    ? { status: 'sessions not kept', sentence: error.message, error }
    : unreachable(error);

function writeFailure(error: unknown): NotReady {
  const sentence = isDiskFull(error)
    ? 'The disk of the database is full. Free some space.'
    : isWriteRefused(error)
      ? 'The database is read-only: it is a standby, or default_transaction_read_only is on. Connect to the primary, or turn the setting off.'
      : 'The database does not accept writes. The log of Gatehouse has the reason.';
  return { status: 'writes failing', sentence, error };
}

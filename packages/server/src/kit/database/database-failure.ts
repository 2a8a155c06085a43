import { isDamaged, isDiskFull, isLost, isWriteRefused } from './sqlstate.ts';

/** Next steps for errors that only an operator can end, by their SQLSTATE or its class. */
const NEXT_STEP: Record<string, string> = {
  '08': 'Check the pooler or server of DATABASE_URL, and its log.',
  '08P01':
    'Check the pooler of DATABASE_URL. In session mode, it needs 19 server connections for each node: raise its pool size.',
  '0A': 'Install what the database lacks. Extensions are in the contrib package of PostgreSQL.',
  '28': 'Correct DATABASE_URL.',
  '42501':
    'Make the role of DATABASE_URL the owner of the database, or run as its owner: grant create on database … to …; grant create on schema public to …;',
  '53': 'Give the database server more of this resource.',
  '53200': 'Raise max_locks_per_transaction or the memory of the database server, and restart it.',
  '53300': 'Raise max_connections, or the limit of the role or database. A node uses up to 19 connections.',
  '54': 'Raise this limit of the database server.',
  '55': 'End the other users of this object, which pg_stat_activity shows.',
  '57': 'The database server, or somebody who manages it, ended the statement. Look at its log.',
};

/** Returns the sentence that tells the operator what is wrong with the database, or undefined for a fault of the program. */
export function databaseFailureOf(error: unknown): string | undefined {
  if (isDiskFull(error))
    return 'The disk of the database is full. Free some space, then start Gatehouse again. No committed change is lost.';
  if (isDamaged(error))
    return 'Files of the database are damaged or missing. Keep a copy of them, and restore a backup: see docs/guides/backup.md.';
  if (isWriteRefused(error))
    return 'The database refuses writes: it is a standby, or has become read-only. Name the primary in DATABASE_URL, then start Gatehouse again.';
  if (isLost(error))
    return 'The connection to the database was lost. Start Gatehouse again when the database accepts connections.';
  const { code, severity, file, message } = error as Error & Record<'code' | 'severity' | 'file', unknown>;
  if (typeof code !== 'string' || severity === undefined) return undefined;
  // Other features that are not supported are a fault of a statement.
  if (code === '0A000' && file !== 'extension.c') return undefined;
  const step = NEXT_STEP[code] ?? NEXT_STEP[code.slice(0, 2)];
  return step === undefined ? undefined : `The database refused to go on: ${message}. ${step}`;
}

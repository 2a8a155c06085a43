import type { DomainError } from '../errors.ts';
import { kitRefusals } from '../kit-sentences.ts';

/** The SQLSTATEs that Gatehouse handles. Only the sentences for operators, `*-failure.ts`, name further ones. */
const MEANING: Record<
  string,
  | 'duplicate'
  | 'no-reference'
  | 'unstorable'
  | 'no-such-time'
  | 'try-again'
  | 'locked'
  | 'read-only'
  | 'timed-out'
  | 'unavailable'
  | 'disk-full'
  | 'damaged'
  | 'another-session'
> = {
  '23505': 'duplicate',
  // Two nodes that create the same table at the same time: which of these it is depends on how far the other one is.
  '42710': 'duplicate',
  '42P07': 'duplicate',
  '42701': 'duplicate',
  '23503': 'no-reference',
  // NUL, lone surrogates and other text that PostgreSQL cannot store.
  '22021': 'unstorable',
  '22P05': 'unstorable',
  '22007': 'no-such-time',
  '22008': 'no-such-time',
  '40001': 'try-again',
  '40P01': 'try-again',
  '55P03': 'locked',
  '25006': 'read-only',
  '57014': 'timed-out',
  '57P01': 'unavailable',
  '57P03': 'unavailable',
  '08000': 'unavailable',
  '08006': 'unavailable',
  '53100': 'disk-full',
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  // A statement that this connection has prepared is unknown, or one that it has not prepared is known.
  '26000': 'another-session',
  '42P05': 'another-session',
  XX001: 'damaged',
  XX002: 'damaged',
  '58P01': 'damaged',
  '58030': 'damaged',
  ECONNREFUSED: 'unavailable',
  ECONNRESET: 'unavailable',
};

/** How Citus reports a violation that it finds while it copies rows to a shard, and a worker that a transaction has lost. */
const BY_CITUS: [RegExp, 'duplicate' | 'no-reference' | 'unavailable'][] = [
  [/violates unique constraint/, 'duplicate'],
  [/violates foreign key constraint/, 'no-reference'],
  [/^failure on connection marked as essential/, 'unavailable'],
  [/^failed to prepare transaction/, 'unavailable'],
];

function meaning(error: unknown) {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return undefined;
  return error.code === 'XX000'
    ? BY_CITUS.find(([pattern]) => pattern.test(error.message))?.[1]
    : MEANING[error.code];
}

/** Whether a unique constraint rejected the row, or another node has just created the same table. */
export const isDuplicate = (error: unknown) => meaning(error) === 'duplicate';

/** Whether a foreign key points at a missing row. */
export const isMissingReference = (error: unknown) => meaning(error) === 'no-reference';

/** Whether a deadlock or serialization failure ended the transaction: repeating it may succeed. */
export const isTransient = (error: unknown) => meaning(error) === 'try-again';

/** Whether a lock was not available within lock_timeout. */
export const isLockTimeout = (error: unknown) => meaning(error) === 'locked';

/** Whether a statement took longer than statement_timeout. */
export const isStatementTimeout = (error: unknown) => meaning(error) === 'timed-out';

/** Returns the error of a database that refuses writes. */
export const readOnly = () => Object.assign(new Error('The database is read-only.'), { code: '25006' });

/** Whether there is no connection to the database any more. */
export const isLost = (error: unknown) =>
  meaning(error) === 'unavailable' ||
  (error instanceof Error && /^Connection terminated/.test(error.message));

/** Whether a read-only transaction refused a statement that writes. */
export const isWriteRefused = (error: unknown) => meaning(error) === 'read-only';

/** Whether the database, or this process, could not write because its disk is full. */
export const isDiskFull = (error: unknown) => meaning(error) === 'disk-full';

/**
 * Whether the session is another one than that of the statements before: a pooler has exchanged it. PgBouncer from 1.21 on finds this out
 * by itself, and reports it as an error of the protocol.
 */
export const isOfAnotherSession = (error: unknown) =>
  meaning(error) === 'another-session' ||
  (error instanceof Error && /^prepared statement /.test(error.message));

/** Whether files of the database are missing, truncated or unreadable. */
export const isDamaged = (error: unknown) => meaning(error) === 'damaged';

/**
 * Whether the data or the program caused the error, so that repeating the same work would fail again. A lost connection can look
 * the same: only a transaction that commits afterwards rules it out.
 */
export function isDataError(error: unknown): boolean {
  if (meaning(error) === 'unavailable') return false;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code !== 'string' || /^(21|22|23|XX)/.test(code);
}

/** Returns the error that the caller should see, or undefined if the fault is in the server. */
export function domainErrorOf(error: unknown): DomainError | undefined {
  switch (meaning(error)) {
    case 'unstorable':
      return kitRefusals.text_unstorable();
    case 'no-such-time':
      return kitRefusals.no_such_time();
    case 'unavailable':
      return kitRefusals.database_unavailable();
    case 'disk-full':
      return kitRefusals.database_disk_full();
    default:
      return undefined;
  }
}

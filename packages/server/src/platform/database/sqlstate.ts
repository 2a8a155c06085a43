import { DomainError } from '../errors.ts';

/** The SQLSTATEs that mean something to us. No other file knows one. */
const MEANING: Record<
  string,
  'duplicate' | 'no-reference' | 'unstorable' | 'no-such-time' | 'try-again' | 'unavailable'
> = {
  '23505': 'duplicate',
  '23503': 'no-reference',
  // NUL, lone surrogates and other text that PostgreSQL cannot hold.
  '22021': 'unstorable',
  '22P05': 'unstorable',
  '22007': 'no-such-time',
  '22008': 'no-such-time',
  '40001': 'try-again',
  '40P01': 'try-again',
  '57P01': 'unavailable',
  '57P03': 'unavailable',
  '08000': 'unavailable',
  '08006': 'unavailable',
  ECONNREFUSED: 'unavailable',
  ECONNRESET: 'unavailable',
};

const meaning = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? MEANING[error.code]
    : undefined;

/** A unique constraint refused the row. */
export const isDuplicate = (error: unknown) => meaning(error) === 'duplicate';

/** A foreign key points at nothing. */
export const isMissingReference = (error: unknown) => meaning(error) === 'no-reference';

/** A deadlock or serialization failure: the same transaction may succeed when run again. */
export const isTransient = (error: unknown) => meaning(error) === 'try-again';

/** What a database error means to the caller, or undefined where it is our own fault. */
export function domainErrorOf(error: unknown): DomainError | undefined {
  switch (meaning(error)) {
    case 'unstorable':
      return new DomainError('invalid', 'The request holds characters that cannot be stored, such as NUL.');
    case 'no-such-time':
      return new DomainError('invalid', 'There is no such date or time.');
    case 'unavailable':
      return new DomainError('unavailable', 'The database cannot be reached. Try again.');
    default:
      return undefined;
  }
}

import { reason, TaskError, type TaskErrorCode } from '@gatehouse/connector';

/** A failed query, with its place in the definition. */
export class QueryError extends Error {
  override name = 'QueryError';
  constructor(message: string, cause: unknown) {
    super(message);
    this.source = cause;
  }
  /** The error of the driver. It is not `cause`, whose text would be printed a second time. */
  readonly source: unknown;
}

type Kind = TaskErrorCode | 'LOST';

/** SQLSTATE classes and codes, which PostgreSQL and MySQL share in part. */
const STATES: [RegExp, Kind][] = [
  [/^(?:28|42501$)/, 'PERMISSION_DENIED'],
  [/^23505$/, 'ACCOUNT_ALREADY_EXISTS'],
  [/^57014$/, 'TIMEOUT'],
  [/^(?:08|57P)/, 'LOST'],
];
const MYSQL: Record<number, Kind> = {
  1044: 'PERMISSION_DENIED',
  1045: 'PERMISSION_DENIED',
  1142: 'PERMISSION_DENIED',
  1143: 'PERMISSION_DENIED',
  1227: 'PERMISSION_DENIED',
  1290: 'PERMISSION_DENIED',
  1370: 'PERMISSION_DENIED',
  1698: 'PERMISSION_DENIED',
  1062: 'ACCOUNT_ALREADY_EXISTS',
  1586: 'ACCOUNT_ALREADY_EXISTS',
  1205: 'TIMEOUT',
  3024: 'TIMEOUT',
};
const SQLITE: Record<number, Kind> = {
  3: 'PERMISSION_DENIED',
  8: 'PERMISSION_DENIED',
  23: 'PERMISSION_DENIED',
  5: 'TIMEOUT',
  6: 'TIMEOUT',
  1555: 'ACCOUNT_ALREADY_EXISTS',
  2067: 'ACCOUNT_ALREADY_EXISTS',
};
const SQL_SERVER: Record<number, Kind> = {
  229: 'PERMISSION_DENIED',
  230: 'PERMISSION_DENIED',
  262: 'PERMISSION_DENIED',
  18456: 'PERMISSION_DENIED',
  2601: 'ACCOUNT_ALREADY_EXISTS',
  2627: 'ACCOUNT_ALREADY_EXISTS',
};
const ORACLE: Record<number, Kind> = {
  1: 'ACCOUNT_ALREADY_EXISTS',
  1017: 'PERMISSION_DENIED',
  1031: 'PERMISSION_DENIED',
  1045: 'PERMISSION_DENIED',
  1920: 'ACCOUNT_ALREADY_EXISTS',
  28000: 'PERMISSION_DENIED',
};
const NETWORK =
  /^(?:ECONN|ENOTFOUND|EPIPE|EAI_|EHOSTUNREACH|ETIMEDOUT|ESOCKET|PROTOCOL_CONNECTION_LOST|ER_SERVER_SHUTDOWN|NJS-5)/;
/** Some drivers give a lost connection no code. */
const LOST = /connection (?:terminated|is closed|closed|lost|ended)|closed state/i;

type Raw = {
  code?: unknown;
  errno?: unknown;
  errcode?: unknown;
  number?: unknown;
  errorNum?: unknown;
  sqlState?: unknown;
};

function kindOf(error: unknown): Kind | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, errno, errcode, number, errorNum, sqlState } = error as Raw;
  if (code === 'ERR_SQLITE_ERROR') return SQLITE[Number(errcode)] ?? SQLITE[Number(errcode) & 0xff];
  if (typeof errorNum === 'number') return ORACLE[errorNum];
  if (typeof number === 'number') return SQL_SERVER[number];
  if (typeof errno === 'number' && typeof sqlState === 'string' && MYSQL[errno]) return MYSQL[errno];
  if (code === 'ELOGIN') return 'PERMISSION_DENIED';
  if (typeof code === 'string' && NETWORK.test(code)) return 'LOST';
  const state = typeof sqlState === 'string' ? sqlState : code;
  const known =
    typeof state === 'string' && state.length === 5
      ? STATES.find(([pattern]) => pattern.test(state))
      : undefined;
  if (known) return known[1];
  return error instanceof Error && LOST.test(error.message) ? 'LOST' : undefined;
}

export const isDuplicate = (error: unknown): boolean =>
  kindOf(error instanceof QueryError ? error.source : error) === 'ACCOUNT_ALREADY_EXISTS';

/** Returns the meaning of a database error by its SQLSTATE or number. */
export function meaningOf(error: unknown): TaskError | undefined {
  const source = error instanceof QueryError ? error.source : error;
  const kind = kindOf(source);
  if (kind === undefined)
    return error instanceof QueryError ? new TaskError('INTERNAL_ERROR', error.message) : undefined;
  if (error instanceof QueryError)
    return new TaskError(kind === 'LOST' ? 'INTERNAL_ERROR' : kind, error.message);
  const said = reason(source);
  if (kind === 'LOST')
    return new TaskError('INTERNAL_ERROR', `the connection to the database failed: ${said}`, {
      cause: source,
    });
  const start = kind === 'PERMISSION_DENIED' ? 'the database denied access: ' : '';
  return new TaskError(kind, `${start}${said}`, { cause: source });
}

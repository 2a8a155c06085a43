import {
  causeLine,
  Exit,
  Failure,
  networkCause,
  reason,
  TaskError,
  type TaskErrorCode,
} from '@gatehouse/connector';
import { ResultCodeError } from 'ldapts';

/** Result codes of RFC 4511, appendix A. */
const taskErrors: Record<number, TaskErrorCode> = {
  3: 'TIMEOUT',
  8: 'PERMISSION_DENIED',
  13: 'PERMISSION_DENIED',
  32: 'ACCOUNT_NOT_FOUND',
  49: 'PERMISSION_DENIED',
  50: 'PERMISSION_DENIED',
  51: 'RATE_LIMITED',
  68: 'ACCOUNT_ALREADY_EXISTS',
};

const useTls = 'the server accepts this only over TLS: use an ldaps:// URL or turn on startTls';
const sentences: Record<number, string> = {
  3: 'the server stopped at its time limit',
  4: 'the server stopped at its size limit before the list was complete: raise the limit for the bind DN',
  8: useTls,
  10: 'the server refers to another server for this: check the base DNs',
  11: 'the server stopped at an administrative limit: raise the limit for the bind DN',
  13: useTls,
  32: 'the entry or the base DN does not exist',
  49: 'the bind DN or its password is wrong',
  50: 'the bind DN lacks the permission',
  51: 'the server is busy',
  52: 'the server is unavailable',
  68: 'an entry with this name already exists',
};

/** The reasons that Active Directory gives in "data 52e" after a rejected bind. */
const rejectedBinds: Record<string, string> = {
  '525': 'Active Directory has no account with the bind DN',
  '52e': 'the bind DN or its password is wrong',
  '530': 'the account of the bind DN may not sign in at this time',
  '531': 'the account of the bind DN may not sign in from this computer',
  '532': 'the password of the bind DN has expired',
  '533': 'the account of the bind DN is disabled',
  '701': 'the account of the bind DN has expired',
  '773': 'the bind DN must change its password first',
  '775': 'the account of the bind DN is locked out',
};

/** The Win32 errors that Active Directory puts at the start of its diagnostic messages. */
const refusals: Record<string, [TaskErrorCode, string]> = {
  '00000005': ['PERMISSION_DENIED', 'the bind DN lacks the permission'],
  '00000524': ['ACCOUNT_ALREADY_EXISTS', 'an account with this user name already exists'],
  '0000052D': ['INTERNAL_ERROR', 'the new password does not meet the password policy of the domain'],
  '00000565': ['INTERNAL_ERROR', 'the group is the primary group of the account: choose another one first'],
  '00002071': ['ACCOUNT_ALREADY_EXISTS', 'an entry with this name already exists'],
  '00002098': ['PERMISSION_DENIED', 'the bind DN lacks the permission'],
};

/** The server's own words, without the code that ldapts appends. */
const diagnosticOf = ({ message }: ResultCodeError): string =>
  // Active Directory ends its messages with NUL.
  message
    .replace(/ Code: 0x[0-9a-f]+$/, '')
    .replaceAll('\0', '')
    .replace(/\s+/g, ' ')
    .trim();

/** Returns a sentence about the refusal, followed by the server's message. */
function sentenceOf(error: ResultCodeError): string {
  const diagnostic = diagnosticOf(error);
  const data = error.code === 49 ? /\bdata ([0-9a-f]{3})\b/i.exec(diagnostic)?.[1]?.toLowerCase() : undefined;
  const sentence = rejectedBinds[data ?? ''] ?? refusalOf(diagnostic)?.[1] ?? sentences[error.code];
  const details = diagnostic ? `code ${error.code}: ${diagnostic}` : `code ${error.code}`;
  return sentence ? `${sentence} (${details})` : `the server refused this (${details})`;
}

const refusalOf = (diagnostic: string) =>
  refusals[/^([0-9A-F]{8}):/i.exec(diagnostic)?.[1]?.toUpperCase() ?? ''];

/** Without `cause`, whose message the command line would append to the sentence. */
export class DirectoryFailure extends Failure {
  readonly refused: ResultCodeError | undefined;
  /** Whether the server was not reached, so that the credentials have not been judged. */
  readonly isUnreachable: boolean;
  constructor(sentence: string, error: unknown) {
    const refused = error instanceof ResultCodeError ? error : undefined;
    super(sentence, refused?.code === 49 ? Exit.auth : Exit.failed);
    this.refused = refused;
    this.isUnreachable = refused === undefined;
  }
}

/** Turns an error of the connection or of a listing into one sentence that names the server. */
export function asFailure(error: unknown, url: string): Failure {
  if (error instanceof Failure) return error;
  const { host, hostname } = new URL(url);
  const fail = (sentence: string) => new DirectoryFailure(sentence, error);
  if (error instanceof ResultCodeError) return fail(`${host}: ${sentenceOf(error)}`);
  const cause = networkCause(error, hostname);
  if (cause?.kind === 'unknown_authority')
    return fail(`${cause.what}; set ca or caFile to the certificate of its CA`);
  if (cause?.what.startsWith('the certificate ')) return fail(causeLine(cause));
  return fail(`the connection to ${host} failed (${reason(error).split('\n')[0]})`);
}

export function asTaskError(error: unknown): TaskError | undefined {
  const refused = error instanceof DirectoryFailure ? error.refused : error;
  if (!(refused instanceof ResultCodeError)) return undefined;
  const [known] = refusalOf(diagnosticOf(refused)) ?? [];
  return new TaskError(known ?? taskErrors[refused.code] ?? 'INTERNAL_ERROR', sentenceOf(refused), {
    cause: error,
  });
}

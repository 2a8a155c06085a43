import { type NetworkCause, networkCause } from '../../protocol/src/net/network-cause.ts';
import { TASK_ERROR_CODES, type TaskErrorCode } from '../../protocol/src/task-errors.ts';

/** Exit codes of every command. Scripts and schedulers may rely on them. */
export const Exit = {
  ok: 0,
  failed: 1,
  usage: 2,
  auth: 4,
  /** The guard stopped the sync, which changed nothing, or the session was abandoned, which removed nothing. */
  abandoned: 5,
  conformance: 6,
  /** Throttled or timed out: the same command may succeed later. */
  later: 7,
  interrupted: 130,
  /** Nobody reads the output any more. */
  unread: 141,
} as const;
export type Exit = (typeof Exit)[keyof typeof Exit];

/** Why a sync removed nothing although it has pushed records. */
export type Stop = { outcome: 'stopped_by_guard'; objection: string } | { outcome: 'records_skipped' };

/** An error with a message for people and the exit code that ends the process. */
export class Failure extends Error {
  override name = 'Failure';
  readonly exit: Exit;
  readonly stop: Stop | undefined;
  constructor(message: string, exit: Exit = Exit.failed, options: ErrorOptions & { stop?: Stop } = {}) {
    super(message, options);
    this.exit = exit;
    this.stop = options.stop;
  }
}

/** The service returned a status that ends the operation (protocol 7.1). */
export class ServiceError extends Failure {
  override name = 'ServiceError';
  readonly status: number;
  readonly detail: string;
  /** Seconds, if the service sent Retry-After. */
  readonly retryAfter: number | undefined;
  constructor(what: string, status: number, detail: string, retryAfter?: number) {
    const exit = status === 401 || status === 403 ? Exit.auth : status === 429 ? Exit.later : Exit.failed;
    super(`${what}: the service returned ${status}: ${detail}`, exit);
    this.status = status;
    this.detail = detail;
    this.retryAfter = retryAfter;
  }
}

/** No usable response came back, after every retry. */
export class UnreachableError extends Failure {
  override name = 'UnreachableError';
  constructor(what: string, cause: unknown) {
    super(`${what}: the service could not be reached (${reason(cause)})`, Exit.later, { cause });
  }
}

const ADVICE = 'If two connectors send this app, stop one of them, or give each an app of its own';

/** A newer session of the same app replaced this one, so the runner stops (protocol 3.1, D15). */
export class SupersededError extends Failure {
  override name = 'SupersededError';
  /** `because` is the error with which the service refused a step of the session. It may say who started the newer one. */
  constructor(sync: string, by?: string, because?: unknown) {
    const detail = because instanceof ServiceError && because.status === 400 ? `: ${because.detail}` : '';
    super(
      `sync session ${sync} was canceled by a newer one${by ? ` (${by})` : ''}; stopped, nothing was removed${detail || `. ${ADVICE}`}`,
      Exit.abandoned,
    );
  }
}

export type { TaskErrorCode };

/** Thrown by a connector's task if the external system refuses. Administrators read the message. */
export class TaskError extends Error {
  override name = 'TaskError';
  readonly code: TaskErrorCode;
  constructor(code: TaskErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** True for a TaskError, also for one from another copy of this package: a connector may bring its own. */
export function isTaskError(error: unknown): error is TaskError {
  if (error instanceof TaskError) return true;
  const known: readonly unknown[] = TASK_ERROR_CODES;
  return (
    error instanceof Error && error.name === 'TaskError' && 'code' in error && known.includes(error.code)
  );
}

/**
 * Undoes the creation of an account after a failure, and returns the failure to throw. An error of the undo does not hide the
 * failure: it is added to the message, with the account that is left behind.
 */
export async function afterUndo(
  failure: unknown,
  id: string,
  undo: () => Promise<unknown>,
): Promise<unknown> {
  try {
    await undo();
    return failure;
  } catch (second) {
    return leavingBehind(
      failure,
      `the account ${id} was created and could not be removed: ${reason(second)}`,
    );
  }
}

/** Adds to the message of a failure what remains in the external system. The kind of the error stays. */
export function leavingBehind(failure: unknown, what: string): Error {
  const error = failure instanceof Error ? failure : new Error(String(failure));
  error.message = `${error.message}; ${what}`;
  return error;
}

/** Returns the reason of a failure in one line. Any value can be thrown, and sockets hide the reason in `cause`. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The cause of the error is added below.
  const known = networkCause(error, undefined, { isDeep: false });
  if (known !== undefined) return causeLine(known);
  if (error instanceof AggregateError && error.errors.length > 0 && !error.message)
    return reason(error.errors[0]);
  const cause = error.cause instanceof Error ? reason(error.cause) : '';
  const own = error.message || error.name;
  // The message of fetch itself says nothing.
  if (own === 'fetch failed' && cause !== '') return cause;
  return cause && !own.includes(cause) ? `${own}: ${cause}` : own;
}

/** Returns a cause as a part of a sentence. */
export const causeLine = ({ what, advice }: NetworkCause): string =>
  `${what}: ${advice.charAt(0).toLowerCase()}${advice.slice(1)}`;

/** Exit codes of every command; scripts and schedulers may rely on them. */
export const Exit = {
  ok: 0,
  failed: 1,
  usage: 2,
  auth: 4,
  /** The guard stopped a removal, or the session ended abandoned: nothing was removed. */
  abandoned: 5,
  conformance: 6,
  /** Throttled or timed out: the same command may succeed later. */
  later: 7,
  interrupted: 130,
} as const;
export type Exit = (typeof Exit)[keyof typeof Exit];

/** An error that knows the exit code that it should end the process with. Its message is for people. */
export class Failure extends Error {
  override name = 'Failure';
  readonly exit: Exit;
  constructor(message: string, exit: Exit = Exit.failed, options?: ErrorOptions) {
    super(message, options);
    this.exit = exit;
  }
}

/** The service answered with a status that ends what we were doing (contract 7.1). */
export class ServiceError extends Failure {
  override name = 'ServiceError';
  readonly status: number;
  readonly detail: string;
  constructor(what: string, status: number, detail: string) {
    const exit = status === 401 || status === 403 ? Exit.auth : status === 429 ? Exit.later : Exit.failed;
    super(`${what}: the service answered ${status}: ${detail}`, exit);
    this.status = status;
    this.detail = detail;
  }
}

/** No usable answer came back, after every retry. */
export class UnreachableError extends Failure {
  override name = 'UnreachableError';
  constructor(what: string, cause: unknown) {
    super(`${what}: the service could not be reached (${reason(cause)})`, Exit.later, { cause });
  }
}

/** A newer session of the same app took over: the runner stops instead of fighting it (contract 3.1, D15). */
export class SupersededError extends Failure {
  override name = 'SupersededError';
  constructor(sync: string, by?: string) {
    super(
      `sync session ${sync} was cancelled by a newer one${by ? ` (${by})` : ''}; stopped, nothing was removed`,
      Exit.abandoned,
    );
  }
}

/** The codes that a failed task may be reported with (contract 7.4). */
export const taskErrorCodes = [
  'ACCOUNT_NOT_FOUND',
  'ACCOUNT_ALREADY_EXISTS',
  'LICENSE_EXHAUSTED',
  'PERMISSION_DENIED',
  'RATE_LIMITED',
  'TIMEOUT',
  'INTERNAL_ERROR',
] as const;
export type TaskErrorCode = (typeof taskErrorCodes)[number];

/** Thrown by a connector's task to say why the external system refused. Administrators read the message. */
export class TaskError extends Error {
  override name = 'TaskError';
  readonly code: TaskErrorCode;
  constructor(code: TaskErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A TaskError, also one of another copy of this package: a connector may bring its own. */
export function isTaskError(error: unknown): error is TaskError {
  if (error instanceof TaskError) return true;
  const known: readonly unknown[] = taskErrorCodes;
  return (
    error instanceof Error && error.name === 'TaskError' && 'code' in error && known.includes(error.code)
  );
}

/** What went wrong, in one line: a thrown value may be anything, and sockets hide the reason in `cause`. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.errors.length > 0 && !error.message)
    return reason(error.errors[0]);
  const cause = error.cause instanceof Error ? reason(error.cause) : '';
  const own = error.message || error.name;
  return cause && !own.includes(cause) ? `${own}: ${cause}` : own;
}

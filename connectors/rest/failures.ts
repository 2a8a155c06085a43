import { causeLine, networkCause, reason, TaskError, type TaskErrorCode } from '@gatehouse/connector';
import type { Method } from './compiled.ts';

/** A request that did not succeed. The message is for people: it names no query and no secret. */
export class RequestError extends Error {
  override name = 'RequestError';
  readonly status: number | undefined;
  readonly code: TaskErrorCode | undefined;
  /** Whether the application was not reached, so that the credentials have not been judged. */
  readonly isUnreachable: boolean;
  constructor(
    message: string,
    details: { status?: number; code?: TaskErrorCode; isUnreachable?: boolean } = {},
  ) {
    super(message);
    this.status = details.status;
    this.code = details.code;
    this.isUnreachable = details.isUnreachable === true;
  }
}

const codes: Record<number, TaskErrorCode> = {
  401: 'PERMISSION_DENIED',
  403: 'PERMISSION_DENIED',
  408: 'TIMEOUT',
  429: 'RATE_LIMITED',
  504: 'TIMEOUT',
};
export const codeOf = (status: number): TaskErrorCode | undefined => codes[status];

export function taskErrorOf(error: unknown): TaskError | undefined {
  if (!(error instanceof RequestError)) return undefined;
  const code = error.code ?? (error.status === undefined ? undefined : codeOf(error.status));
  return code && new TaskError(code, error.message, { cause: error });
}

const hints: Record<number, string> = {
  401: 'the credentials were rejected',
  403: 'the credentials do not allow it',
  405: 'it does not support this method at this address',
  429: 'it has received too many requests',
  501: 'it does not support this method',
};

/** Whether a body is a page for browsers. It is then not from the API: its status says nothing about an account. */
export const isPage = (body: unknown): boolean =>
  typeof body === 'string' && body.trimStart().startsWith('<');

const PAGE = 'a page of HTML, which is not from the API; check base_url and the path';

/** Returns the error of a response with its status and the application's own explanation. */
export function refusal(method: Method, url: URL, status: number, body: unknown): RequestError {
  if (isPage(body)) {
    const meaning = codeOf(status);
    return new RequestError(
      `${nameOf(method, url)} returned ${status} with ${PAGE}`,
      meaning ? { status } : {},
    );
  }
  const said = explanation(body) ?? textIn(body);
  // With an explanation of its own, a 404 is about a record. Without one, the address may be wrong as well.
  const hint =
    status === 404 && said === undefined
      ? 'it has no record, or nothing at all, at this address'
      : hints[status];
  const detail = [hint, said].filter(Boolean).join(': ');
  return new RequestError(`${nameOf(method, url)} returned ${status}${detail ? ` (${detail})` : ''}`, {
    status,
  });
}

/** Returns how messages name a request: without its query, which may hold secrets. */
export const nameOf = (method: string, url: URL): string => `${method} ${url.origin}${url.pathname}`;

export const unreachable = (method: string, url: URL, error: unknown): RequestError => {
  const isTimeout = error instanceof Error && error.name === 'TimeoutError';
  const cause = networkCause(error, url.host);
  const why = cause === undefined ? reason(error) : causeLine(cause);
  return new RequestError(`${nameOf(method, url)} failed: ${why}`, {
    isUnreachable: true,
    ...(isTimeout ? { code: 'TIMEOUT' } : {}),
  });
};

const LONGEST_EXPLANATION = 300;

const textIn = (body: unknown): string | undefined =>
  (typeof body === 'string' && body.trim().slice(0, LONGEST_EXPLANATION)) || undefined;

/** Finds the explanation in an error response, where APIs usually have it. */
export function explanation(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const fields = body as Record<string, unknown>;
  const names = ['error_description', 'detail', 'message', 'errorSummary', 'description', 'reason', 'error'];
  for (const found of [...names.map((name) => fields[name]), fields.errors, fields.errorMessages]) {
    const first: unknown = Array.isArray(found) ? found[0] : found;
    const text = typeof first === 'string' ? first : explanation(first);
    if (text) return text.slice(0, LONGEST_EXPLANATION);
  }
  return undefined;
}

/** Hides secrets in a message. */
export type Hide = (text: string) => string;

/** Hides the values of secret settings, and secrets that are added later, such as tokens. */
export function createSecrets(): { add(secret: unknown): void; hide: Hide } {
  const secrets = new Set<string>();
  return {
    add: (secret) => {
      if (typeof secret !== 'string' || secret.length < 4) return;
      secrets.add(secret);
      secrets.add(encodeURIComponent(secret));
    },
    hide: (text) =>
      [...secrets]
        .sort((a, b) => b.length - a.length)
        .reduce((hidden, secret) => hidden.replaceAll(secret, '[redacted]'), text),
  };
}

import { serverText } from '../language/server-text.ts';

/** An error response of the server with its `detail` (D5), or no response at all (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  /** The server's `detail`: plain text, never markup. */
  readonly detail: string;
  /** Seconds to wait before trying again, if the server says so. */
  readonly retryAfter: number | null;
  /** The whole body: `errors`, the rows of an import, and so on. */
  readonly body: Record<string, unknown>;

  constructor(
    status: number,
    detail: string,
    retryAfter: number | null = null,
    body: Record<string, unknown> = {},
  ) {
    super(detail);
    this.status = status;
    this.detail = detail;
    this.retryAfter = retryAfter;
    this.body = body;
  }

  /** The server did not respond, or only a proxy did. */
  get unreachable() {
    return this.status === 0 || (this.status >= 502 && this.status <= 504);
  }
}

/** Returns whether a failure has this code in its `errors`. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof ApiError &&
  Array.isArray(error.body.errors) &&
  error.body.errors.some((issue: { code?: unknown }) => issue.code === code);

/** One entry of an error reply's `errors`. Older servers send neither code nor values. */
export interface Issue {
  path: string;
  code?: string;
  values?: unknown;
  message: string;
}

/** Returns the message of an issue in the reader's language. */
export const issueWords = (issue: Pick<Issue, 'code' | 'values' | 'message'>): string =>
  serverText({ ...issue, text: issue.message });

/** Returns the message to show for any failure. */
export function detailOf(error: unknown): string {
  if (error instanceof ApiError) return error.detail;
  return error instanceof Error ? error.message : String(error);
}

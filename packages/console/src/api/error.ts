/** A refusal of the server, in its own words (D5), or its silence (`status` 0). */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  /** The server's `detail`: text, never markup. */
  readonly detail: string;
  /** Seconds until it is worth trying again, where the server says so. */
  readonly retryAfter: number | null;
  /** The other fields of the answer: the place in a CEL expression, the rows of an import, ... */
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

  /** Nobody answered, or only a proxy did. */
  get silent() {
    return this.status === 0 || (this.status >= 502 && this.status <= 504);
  }
}

/** What to tell a person about any failure. */
export function detailOf(error: unknown): string {
  if (error instanceof ApiError) return error.detail;
  return error instanceof Error ? error.message : String(error);
}

/** A fault for the `nth` request (counted from 1) whose "METHOD /path" matches `on`. */
export type Fault = {
  on: RegExp;
  nth: number;
  /**
   * throttle: returns 429 with Retry-After. crash: returns 500 and does nothing. lose: carries out the request, then breaks
   * the connection. drop: breaks the connection without doing anything. supersede: starts a newer session first. cleanup: the
   * completion ends in CLEANUP_FAILED. conflict: returns 409, as for a task that is already resolved.
   */
  what: 'throttle' | 'crash' | 'lose' | 'drop' | 'supersede' | 'cleanup' | 'conflict';
  /** The number of matching requests in a row (default 1). */
  times?: number;
  /** Called after the fault took effect, for example to kill the connector. */
  also?: () => void;
};

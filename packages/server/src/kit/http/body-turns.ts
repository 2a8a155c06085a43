import type { Caller } from './lines.ts';

/** The rest after each piece while others are active: 64 KB each in 4 ms are 16 MB a second. */
const REST_MS = 4;

/**
 * Lets the pieces of large bodies through one at a time, each in a turn of the event loop of its own. Otherwise, the process would read
 * megabytes before it looks at the next socket. A piece that waits makes its client wait, too. Callers take turns, and while an
 * organization sends a large body beside the requests of others, the process rests after each piece.
 */
export class BodyTurns {
  readonly #mustRest: (caller: Caller) => boolean;
  readonly #waiting = new Map<string, { caller: Caller; pieces: (() => void)[] }>();
  readonly #after: (restMs: number, next: () => void) => void;
  #isTaken = false;

  constructor(mustRest: (caller: Caller) => boolean, after = afterRest) {
    this.#mustRest = mustRest;
    this.#after = after;
  }

  /** Calls `pass` when the turn of a piece has come. */
  wait(caller: Caller, pass: () => void) {
    const line = this.#waiting.get(caller.name);
    if (line === undefined) this.#waiting.set(caller.name, { caller, pieces: [pass] });
    else line.pieces.push(pass);
    if (!this.#isTaken) this.#next();
  }

  #next() {
    const [line] = this.#waiting.values();
    this.#isTaken = line !== undefined;
    if (line === undefined) return;
    const { caller, pieces } = line;
    const pass = pieces.shift();
    // The caller goes to the end.
    this.#waiting.delete(caller.name);
    if (pieces.length > 0) this.#waiting.set(caller.name, line);
    this.#after(this.#mustRest(caller) ? REST_MS : 0, () => this.#next());
    pass?.();
  }
}

function afterRest(restMs: number, next: () => void) {
  if (restMs === 0) setImmediate(next);
  else setTimeout(next, restMs);
}

import type { DomainError } from '../errors.ts';
import { httpRefusals } from './sentences.ts';

export interface BodyLimits {
  /** Bytes of all bodies. */
  all: number;
  /** Bytes of the bodies of one caller. */
  ofOne: number;
}

/** A body that is arriving, or that waits until the work on it begins. */
export interface Body {
  /** An organization, or the address of callers that nobody knows yet. */
  caller: string;
  bytes: number;
  /** Ends the request. Undefined as soon as the work on it has begun. */
  end: ((error: DomainError) => void) | undefined;
}

interface Held {
  bytes: number;
  /** In the order in which they began. */
  bodies: Set<Body>;
}

/** A body arrives at this rate at least, once it has been read for a while. */
const LEAST_BYTES_PER_SECOND = 8 * 1024;
const GRACE_MS = 10_000;
const LOOK_EVERY_MS = 1000;
/** In a longer time between two looks, the process did something else than reading. */
const LONGEST_LOOK_MS = 2000;

const tooSlow = () => httpRefusals.body_too_slow();

/**
 * The memory for request bodies. Bytes count when they arrive. If they do not fit, the caller with the most bytes loses a body that nobody
 * works on yet, so that a caller with few never loses one because of another's.
 */
export class Bodies {
  readonly #limits: BodyLimits;
  readonly #refuse: () => DomainError;
  readonly #held = new Map<string, Held>();
  #bytes = 0;

  constructor(limits: BodyLimits, refuse: () => DomainError) {
    this.#limits = limits;
    this.#refuse = refuse;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Counts bytes that have arrived. Throws 503 if there is no memory for them. */
  hold(body: Body, bytes: number) {
    if ((this.#held.get(body.caller)?.bytes ?? 0) + bytes > this.#limits.ofOne) throw this.#refuse();
    while (this.#bytes + bytes > this.#limits.all) this.#makeRoom(body.caller, bytes);
    const held = this.#held.get(body.caller) ?? { bytes: 0, bodies: new Set() };
    this.#held.set(body.caller, held);
    held.bodies.add(body);
    held.bytes += bytes;
    body.bytes += bytes;
    this.#bytes += bytes;
  }

  release(body: Body) {
    const held = this.#held.get(body.caller);
    if (held === undefined || !held.bodies.delete(body)) return;
    held.bytes -= body.bytes;
    this.#bytes -= body.bytes;
    body.bytes = 0;
    if (held.bodies.size === 0) this.#held.delete(body.caller);
  }

  /** Ends the newest body of the caller that has the most, or throws if that is the one that wants more. */
  #makeRoom(caller: string, bytes: number) {
    let loser: Body | undefined;
    let most = (this.#held.get(caller)?.bytes ?? 0) + bytes;
    for (const [other, held] of this.#held) {
      if (other === caller || held.bytes <= most) continue;
      const newest = [...held.bodies].findLast(({ end }) => end !== undefined);
      if (newest !== undefined) [loser, most] = [newest, held.bytes];
    }
    const end = loser?.end;
    if (loser === undefined || end === undefined) throw this.#refuse();
    this.release(loser);
    end(this.#refuse());
  }
}

/** The bodies that the process is reading. */
export class SlowBodies {
  readonly #bodies = new Map<Body, { arrived: number; readMs: number }>();
  #lookedAt: number | undefined;
  /** Runs only while bodies arrive. */
  #timer: NodeJS.Timeout | undefined;

  /** Call the result with the size of each piece. */
  add(body: Body): { arrived(bytes: number): void; done(): void } {
    const progress = { arrived: 0, readMs: 0 };
    this.#bodies.set(body, progress);
    this.#timer ??= setInterval(() => this.look(performance.now()), LOOK_EVERY_MS).unref();
    return {
      arrived: (bytes) => {
        progress.arrived += bytes;
      },
      done: () => void this.#bodies.delete(body),
    };
  }

  /** Ends the bodies that arrive too slowly. Happens once a second while any arrive. */
  look(now: number) {
    const passed = Math.min(now - (this.#lookedAt ?? now), LONGEST_LOOK_MS);
    this.#lookedAt = now;
    for (const [body, progress] of this.#bodies) {
      progress.readMs += passed;
      const isSlow = progress.arrived < (progress.readMs / 1000) * LEAST_BYTES_PER_SECOND;
      if (progress.readMs <= GRACE_MS || !isSlow) continue;
      this.#bodies.delete(body);
      body.end?.(tooSlow());
    }
    if (this.#bodies.size === 0) this.stop();
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#lookedAt = undefined;
  }
}

import { totalmem } from 'node:os';
import type { DomainError } from './errors.ts';
import { kitRefusals } from './kit-sentences.ts';

/**
 * The memory of this process for work that strangers can make large: files that people upload, connectors, and worker threads. Each
 * alone is bounded; this budget bounds them together, so that no combination ends the server.
 */

/** All in megabytes. */
export interface Shares {
  /** For the work on large request bodies. */
  bodies: number;
  /** For all readers and connectors at the same time. */
  common: number;
  /** For reading one file. */
  reader: number;
  /** For one connector that the server runs. */
  connector: number;
  /** For the heap of each thread of the pool (workers/pool.ts). */
  thread: number;
}

/**
 * The megabytes of the server with its database connections and caches while it syncs, where memory is short (docs/explanations/scale.md). V8 lets the
 * heap grow further only on a machine with more.
 */
const SERVER = 320;
/** More for the embedded database. */
const EMBEDDED = 640;
/** Threads of the pool that are in use at the same time. */
const THREADS = 2;
/** They are part of what the server needs where memory is short. */
const LEAST_BODIES = 128;
const LEAST_READER = 320;
const LEAST_CONNECTOR = 192;
const MOST_OF_ONE = 768;

/** Divides the memory of a machine or container. */
export function sharesOf(totalMegabytes: number, isEmbedded: boolean): Shares {
  const thread = clamp(totalMegabytes / 12, 64, 512);
  const bodies = clamp(totalMegabytes / 6, LEAST_BODIES, 1024);
  const server = SERVER + (isEmbedded ? EMBEDDED : 0) + THREADS * thread + bodies - LEAST_BODIES;
  const common = Math.max(totalMegabytes - server, LEAST_READER);
  const reader = clamp(common / 2, LEAST_READER, MOST_OF_ONE);
  return {
    bodies,
    common,
    reader,
    connector: clamp((common - reader) / 2, LEAST_CONNECTOR, MOST_OF_ONE),
    thread,
  };
}

const clamp = (value: number, least: number, most: number) =>
  Math.floor(Math.min(Math.max(value, least), most));

let isEmbedded = false;

/** Reserves memory for the embedded database. Called at startup. */
export function reserveForEmbeddedDatabase() {
  isEmbedded = true;
}

/** Returns the shares of this process, within the limit of its container. Without one, the limit is not a number of real memory. */
export const shares = (): Shares =>
  sharesOf(Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem()) / MB, isEmbedded);

const MB = 1024 * 1024;

/** Requests that wait hold places. */
const MOST_WAITING_OF_ORGANIZATION = 15;

/** After so long, nothing overtakes the work whose turn it is. Until then, smaller work uses the megabytes that are free. */
const OVERTAKEN_MS = 1000;

interface Waiting {
  organization: string;
  megabytes: number;
  since: number;
  start: () => void;
}

interface BudgetOptions {
  /** How many pieces of work of one organization run at the same time. */
  ofOrganization?: number;
  /** The error for work that does not get its turn. */
  busy?: () => DomainError;
  /** In milliseconds. */
  now?: () => number;
}

const readingFiles = () =>
  kitRefusals.reading_other_files({
    retryAfter: 60,
  });

/** A budget of megabytes. Organizations take turns, by default with one piece of work at a time. */
export class Budget {
  readonly #total: () => number;
  readonly #ofOrganization: number;
  readonly #busy: () => DomainError;
  readonly #now: () => number;
  #used = 0;
  readonly #running = new Map<string, number>();
  /** When the work of an organization began last: one with much work does not hold up the others. */
  readonly #served = new Map<string, number>();
  #turns = 0;
  #waiting: Waiting[] = [];

  constructor(
    total: () => number,
    { ofOrganization = 1, busy = readingFiles, now = () => performance.now() }: BudgetOptions = {},
  ) {
    this.#total = total;
    this.#ofOrganization = ofOrganization;
    this.#busy = busy;
    this.#now = now;
  }

  /** Whether so much is free, and nobody waits for it already. */
  hasRoom(megabytes: number): boolean {
    const isWanted = this.#waiting.some(({ organization }) => this.#mayRun(organization));
    return !isWanted && this.#fits(megabytes);
  }

  /** Takes megabytes that hasRoom found free. Returns a function that gives them back. */
  take(megabytes: number): () => void {
    this.#used += megabytes;
    return () => {
      this.#used -= megabytes;
      this.#startNext();
    };
  }

  /** Runs `work` once it is the turn of the organization and the megabytes are free. Throws 503 after `patienceMs`. */
  async run<T>(
    organization: string,
    megabytes: number,
    patienceMs: number,
    work: () => Promise<T>,
  ): Promise<T> {
    const giveBack = await this.turn(organization, megabytes, patienceMs);
    try {
      return await work();
    } finally {
      giveBack();
    }
  }

  /** Waits as `run` does. Returns a function that gives the megabytes back. The signal ends the wait with its reason. */
  async turn(
    organization: string,
    megabytes: number,
    patienceMs: number,
    signal?: AbortSignal,
  ): Promise<() => void> {
    const own = this.#waiting.filter((one) => one.organization === organization);
    if (own.length >= MOST_WAITING_OF_ORGANIZATION) throw this.#busy();
    return new Promise((resolve, reject) => {
      const giveUp = (reason: unknown) => {
        clearTimeout(timer);
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        reject(reason);
        // It may have held up others.
        this.#startNext();
      };
      const timer = setTimeout(() => giveUp(this.#busy()), patienceMs);
      const onAbort = () => giveUp(signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      const waiting = {
        organization,
        megabytes,
        since: this.#now(),
        start: () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
          resolve(this.#begin(organization, megabytes));
        },
      };
      this.#waiting.push(waiting);
      this.#startNext();
    });
  }

  #begin(organization: string, megabytes: number): () => void {
    this.#running.set(organization, (this.#running.get(organization) ?? 0) + 1);
    this.#served.delete(organization);
    this.#served.set(organization, ++this.#turns);
    const giveBack = this.take(megabytes);
    return () => {
      const left = (this.#running.get(organization) ?? 1) - 1;
      if (left === 0) this.#running.delete(organization);
      else this.#running.set(organization, left);
      giveBack();
    };
  }

  #mayRun(organization: string): boolean {
    return (this.#running.get(organization) ?? 0) < this.#ofOrganization;
  }

  /** Work that is larger than the whole budget runs alone. */
  #fits(megabytes: number): boolean {
    return this.#used === 0 || this.#used + megabytes <= this.#total();
  }

  #startNext() {
    const lastTurn = ({ organization }: Waiting) => this.#served.get(organization) ?? 0;
    const inTurn = this.#waiting
      .filter(({ organization }) => this.#mayRun(organization))
      .sort((one, other) => lastTurn(one) - lastTurn(other));
    const [first] = inTurn;
    if (first === undefined) return;
    // Otherwise, work that needs much would wait as long as others have little.
    const isReserved = this.#now() - first.since >= OVERTAKEN_MS;
    const next = isReserved ? first : inTurn.find(({ megabytes }) => this.#fits(megabytes));
    if (next === undefined || !this.#fits(next.megabytes)) return;
    this.#waiting = this.#waiting.filter((one) => one !== next);
    next.start();
    this.#startNext();
  }
}

/** The budget of this process for readers and connectors. */
export const memory = new Budget(() => shares().common);

/** A large body takes about so many times its size, from its bytes to the statement that stores its records. */
const COPIES = 5;
const MOST_LARGE_BODIES_OF_ORGANIZATION = 4;

/** The budget of this process for the work on large request bodies. */
const bodies = new Budget(() => shares().bodies, {
  ofOrganization: MOST_LARGE_BODIES_OF_ORGANIZATION,
  busy: () =>
    kitRefusals.reading_large_requests({
      retryAfter: 5,
    }),
});
const BODY_PATIENCE_MS = 60_000;

/** Waits until there is memory for the work on a body of this size. Returns a function that gives it back. */
export const memoryForBody = (
  organization: string,
  bytes: number,
  signal: AbortSignal,
): Promise<() => void> =>
  bodies.turn(organization, Math.ceil((COPIES * bytes) / MB), BODY_PATIENCE_MS, signal);

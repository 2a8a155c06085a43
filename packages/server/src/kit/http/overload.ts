import { randomInt } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError, invalid } from '../errors.ts';
import { takeTurns } from '../turns.ts';
import { openLines } from './lines.ts';

/** The load that a process accepts at a time (D57). */
export interface LoadLimits {
  /** Requests that are being handled. Most of them wait for a database connection. */
  requests: number;
  /** Bytes of the bodies of all requests, those that are still arriving included. */
  bodyBytes: number;
}

/** The present load of the process. */
export interface Load extends LoadLimits {
  /** Requests that got 503 so far, by the limit that they exceeded. */
  refused: LoadLimits;
  limits: LoadLimits;
}

const LIMITS: LoadLimits = { requests: 200, bodyBytes: 64 * 1024 * 1024 };

/** The part of the places that is added for organizations with few requests, and how many are few. */
const RESERVED = 0.25;
const FEW = 0.05;

/** A larger body counts as it arrives, so that a client cannot reserve memory with a header alone. */
const LARGEST_RESERVED_BYTES = 256 * 1024;

/** Waits of 1 to 3 seconds, so that refused clients do not come back at the same moment. */
const retryAfter = () => randomInt(1, 4);

/** The part of the load that one request is. */
interface Share {
  organization: string;
  bytes: number;
  isHandled: boolean;
  /** Whether it has entered the line of its organization. */
  isInLine: boolean;
}

/**
 * Refuses requests with 503 before they pile up, unless their route is `unlimited`. A request counts from its arrival,
 * or, with a body, from the moment when the body is complete: a slow upload blocks nobody. It counts until its response
 * is ready, even if the client has given up, because it uses a connection until then. Requests are handled in turns, one
 * in each turn of the event loop, and a few of each organization at a time (lines.ts). Organizations with few requests have
 * further places, which the others cannot take. Returns the present load.
 */
export function limitLoad(http: FastifyInstance, limits: LoadLimits = LIMITS): () => Load {
  const load: Load = { requests: 0, bodyBytes: 0, refused: { requests: 0, bodyBytes: 0 }, limits };
  const shares = new WeakMap<FastifyRequest, Share>();
  const inTurn = takeTurns();
  const lines = openLines();
  const handled = new Map<string, number>();

  function refuse(limit: keyof LoadLimits): DomainError {
    load.refused[limit]++;
    return new DomainError('unavailable', 'The server is busy. Try again in a moment.', {
      retryAfter: retryAfter(),
    });
  }

  function requirePlace({ organization }: Share) {
    const reserved = Math.ceil(limits.requests * RESERVED);
    const hasFew = (handled.get(organization) ?? 0) < limits.requests * FEW;
    if (load.requests >= limits.requests + (hasFew ? reserved : 0)) throw refuse('requests');
  }

  function handle(share: Share) {
    requirePlace(share);
    load.requests++;
    handled.set(share.organization, (handled.get(share.organization) ?? 0) + 1);
    share.isHandled = true;
  }

  function forget(organization: string) {
    load.requests--;
    const rest = (handled.get(organization) ?? 1) - 1;
    if (rest === 0) handled.delete(organization);
    else handled.set(organization, rest);
  }

  function hold(share: Share, bytes: number) {
    if (load.bodyBytes + bytes > limits.bodyBytes) throw refuse('bodyBytes');
    load.bodyBytes += bytes;
    share.bytes += bytes;
  }

  function release(request: FastifyRequest) {
    const share = shares.get(request);
    if (share === undefined) return;
    shares.delete(request);
    load.bodyBytes -= share.bytes;
    if (share.isHandled) forget(share.organization);
    if (share.isInLine) lines.leave(share.organization);
  }

  http.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config?.unlimited) return done();
    const { org = '' } = request.params as { org?: string };
    const share: Share = { organization: org, bytes: 0, isHandled: false, isInLine: false };
    shares.set(request, share);
    reply.raw.once('close', () => {
      if (!share.isHandled) release(request);
    });
    attempt(done, () => {
      requirePlace(share);
      const length = declaredLength(request);
      if (length === 0) handle(share);
      else if (length <= LARGEST_RESERVED_BYTES) hold(share, length);
    });
  });

  http.addHook('preParsing', (request, _reply, payload, done) => {
    const share = shares.get(request);
    const isHeld = request.routeOptions.config?.streams !== true;
    if (share === undefined || !isHeld || declaredLength(request) <= LARGEST_RESERVED_BYTES)
      return done(null, payload);
    done(
      null,
      counted(payload, (bytes) => hold(share, bytes)),
    );
  });

  http.addHook('preValidation', (request, _reply, done) => {
    const share = shares.get(request);
    if (share === undefined) return done();
    attempt(
      (error) => {
        if (error !== undefined) return done(error);
        const { streams, waits } = request.routeOptions.config ?? {};
        // Such work takes long without being much.
        if (streams === true || waits === true) return inTurn(done);
        share.isInLine = true;
        lines.enter(share.organization, () => inTurn(done));
      },
      () => {
        if (!share.isHandled) handle(share);
      },
    );
  });

  http.addHook('onSend', (request, _reply, payload, done) => {
    release(request);
    done(null, payload);
  });

  return () => ({ ...load, refused: { ...load.refused } });
}

/** Infinity for a body of unknown length. */
function declaredLength({ raw: { headers } }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers['content-length'] ?? 0);
}

/** Passes a body on. `count` gets the size of each piece, and ends the body by throwing. */
function counted(body: Readable, count: (bytes: number) => void): Transform {
  const counter = new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      const next = (error?: Error) => {
        if (error === undefined) return done(null, piece);
        // The rest is read and thrown away: destroying the body would close the connection before the reply.
        body.unpipe(counter).resume();
        done(error);
      };
      attempt(next, () => count(piece.length));
    },
  });
  body.once('error', () => counter.destroy(incomplete()));
  body.once('close', () => {
    if (!body.readableEnded) counter.destroy(incomplete());
  });
  return body.pipe(counter);
}

const incomplete = () => invalid('The body is incomplete.');

function attempt(done: (error?: Error) => void, work: () => void) {
  try {
    work();
  } catch (error) {
    return done(error as Error);
  }
  done();
}

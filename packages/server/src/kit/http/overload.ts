import { randomInt } from 'node:crypto';
import { Readable, Transform, Writable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { DomainError } from '../errors.ts';
import { networkOf } from '../ip.ts';
import { kitRefusals } from '../kit-sentences.ts';
import { memoryForBody } from '../memory.ts';
import { keptPlace, withPlace } from '../place.ts';
import { takeTurns } from '../turns.ts';
import { Bodies, type Body, SlowBodies } from './bodies.ts';
import { BodyTurns } from './body-turns.ts';
import { HeldRefusals } from './held-refusals.ts';
import { type Caller, openLines } from './lines.ts';
import { Places } from './places.ts';
import { requestPlace } from './request-place.ts';
import { httpRefusals } from './sentences.ts';

/** The load that a process accepts at a time (D57). */
export interface LoadLimits {
  /** Requests of organizations that are being handled, and as many of strangers. Most of them wait for a database connection. */
  requests: number;
  /** Requests that wait for other systems, or whose bodies are stored while they arrive. */
  waiting: number;
  /** Bytes of the bodies of organizations, those that are still arriving included. Strangers get a quarter of it in addition. */
  bodyBytes: number;
}

/** The present load of the process. */
export interface Load extends LoadLimits {
  /** Requests that got 503 so far, by the limit that they exceeded. */
  refused: LoadLimits;
  limits: LoadLimits;
}

const LIMITS: LoadLimits = { requests: 200, waiting: 128, bodyBytes: 64 * 1024 * 1024 };

/** The part of the places that is added for organizations with few requests, and how many are few. */
const RESERVED = 0.25;
const FEW = 0.05;
/** The parts of the waiting places that one organization, all strangers, and one address of them get. */
const WAITING_OF_ONE = 1 / 8;
const WAITING_OF_STRANGERS = 1 / 2;
const WAITING_OF_ADDRESS = 1 / 16;
/** The parts of the memory for bodies that all strangers and one address of them get: 16 and 4 MB. */
const BYTES_OF_STRANGERS = 1 / 4;
const BYTES_OF_ADDRESS = 1 / 16;

/** The work on a larger body takes much more memory than the body, so it takes turns. */
const LARGE_BODY_BYTES = 1024 * 1024;
/** The rest of a larger body is read in turns. */
const READ_FREELY_BYTES = 256 * 1024;

/** The methods whose bodies Fastify parses. */
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']);

/** Waits of 1 to 3 seconds, so that refused clients do not come back at the same moment. */
const retryAfter = () => randomInt(1, 4);

/** The part of the load that one request is. */
interface Share extends Caller {
  body: Body;
  /** Its body is arriving. Nothing else happens for it. */
  isReading: boolean;
  /** Ends the counting of its body. The rest of the body is thrown away. */
  stopCounting: ((error?: Error) => void) | undefined;
  /** Functions that release what it holds, in any order. */
  held: Set<() => void>;
}

/**
 * Refuses requests with 503 before they pile up, unless their route is `unlimited`. Until its caller has been identified, a request counts
 * for the address that it comes from; then for the organization. A request with a body counts among the handled ones from the moment when
 * the body is complete: a slow upload blocks nobody. It counts until its response is ready, even if the client has given up, because it
 * uses a connection until then. Requests are handled in turns, one in each turn of the event loop, and a few of each organization at a
 * time (lines.ts). Returns the present load.
 */
export function limitLoad(http: FastifyInstance, limits: LoadLimits = LIMITS): () => Load {
  const refused: LoadLimits = { requests: 0, waiting: 0, bodyBytes: 0 };
  const refuse = (limit: keyof LoadLimits, error: Refuse = kitRefusals.server_busy) => {
    refused[limit]++;
    return error({ retryAfter: retryAfter() });
  };
  const rooms = openRooms(limits, refuse);
  const shares = new WeakMap<FastifyRequest, Share>();
  const inTurn = takeTurns();
  const lines = openLines();
  const bodyTurns = new BodyTurns(lines.hasNeighbors);
  const held = new HeldRefusals();
  const slow = new SlowBodies();
  http.addHook('onClose', async () => slow.stop());

  const roomOf = ({ isStranger }: Caller) => rooms[isStranger ? 'strangers' : 'members'];
  const take = (share: Share, room: 'handled' | 'waiting') => {
    const giveBack = roomOf(share)[room].take(share.name);
    share.held.add(giveBack);
    return () => {
      giveBack();
      share.held.delete(giveBack);
    };
  };

  function release(share: Share) {
    for (const giveBack of share.held) giveBack();
    share.held.clear();
    share.body.end = undefined;
    roomOf(share).bodies.release(share.body);
  }

  /** Releases the share for good. Nothing that still arrives of its body counts. */
  function close(share: Share, error?: Error) {
    share.isReading = false;
    share.stopCounting?.(error);
    release(share);
  }

  /** Takes the turn of a large body for memory, so that large bodies together do not need more than there is. */
  async function waitForMemory(share: Share) {
    const waiting = new AbortController();
    share.body.end = (error) => waiting.abort(error);
    const giveBack = await memoryForBody(share.name, share.body.bytes, waiting.signal);
    roomOf(share).bodies.release(share.body);
    share.held.add(giveBack);
  }

  /** Calls `start` in a turn of the event loop, and when the turn of the request in its line has come. */
  function enterLine(share: Share, begin: (error?: Error) => void) {
    const place = requestPlace(share, lines, () => take(share, 'waiting'));
    const leaveEarly = lines.enter(share, () => {
      share.body.end = undefined;
      place.begin();
      share.held.add(place.end);
      inTurn(() => withPlace(place, begin));
    });
    share.body.end &&= (error) => {
      if (leaveEarly()) begin(error);
    };
  }

  http.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config?.unlimited) return done();
    const name = `address ${networkOf(request.ip)}`;
    const body: Body = { caller: name, bytes: 0, end: undefined };
    const share: Share = {
      name,
      isStranger: true,
      body,
      isReading: false,
      stopCounting: undefined,
      held: new Set(),
    };
    shares.set(request, share);
    // Work whose client has given up still counts.
    reply.raw.once('close', () => {
      if (share.isReading || reply.sent) close(share, incomplete());
    });
    attempt(done, () => void take(share, 'handled'));
  });

  // All checks of the caller have run.
  http.addHook('preParsing', (request, _reply, payload, done) => {
    const share = shares.get(request);
    if (share === undefined) return done(null, payload);
    try {
      if (request.principal) become(share, request.principal.orgId);
      done(null, arriving(request, share, payload as Readable));
    } catch (error) {
      done(error as Error);
    }
  });

  /** Counts the request for the organization of its caller from now on. */
  function become(share: Share, organization: string) {
    release(share);
    share.name = organization;
    share.isStranger = false;
    share.body.caller = organization;
    take(share, 'handled');
  }

  /** Counts the body of a request while it arrives. Until it is complete, the request holds no place. */
  function arriving(request: FastifyRequest, share: Share, payload: Readable): Readable {
    const length = declaredLength(request);
    if (length === 0) return payload;
    // Nobody reads this body, and nobody would hear its errors.
    if (!WITH_BODY.has(request.method)) return payload.resume();
    release(share);
    if (request.routeOptions.config?.streams === true) return payload;
    const { bodies } = roomOf(share);
    share.isReading = true;
    if (payload === request.raw && payload.readableLength >= length) {
      bodies.hold(share.body, length);
      return payload;
    }
    const progress = slow.add(share.body);
    const turnOf = (pass: () => void) => bodyTurns.wait(share, pass);
    const count = (bytes: number) => {
      progress.arrived(bytes);
      bodies.hold(share.body, bytes);
    };
    const { counter, stop } = counted(payload, count, turnOf);
    counter.once('close', progress.done);
    share.stopCounting = stop;
    share.body.end = stop;
    return counter;
  }

  http.addHook('preValidation', (request, _reply, done) => {
    const share = shares.get(request);
    if (share === undefined) return done();
    const { streams, waits } = request.routeOptions.config ?? {};
    share.isReading = false;
    share.body.end = share.body.bytes === 0 ? undefined : () => undefined;
    attempt(
      (error) => {
        if (error !== undefined) return waits === true ? held.end(() => done(error)) : done(error);
        // Such work takes long without being much.
        if (streams === true || waits === true) {
          share.body.end = undefined;
          const place = keptPlace(() => lines.hasNeighbors(share));
          return inTurn(() => withPlace(place, done));
        }
        if (share.body.bytes <= LARGE_BODY_BYTES) enterLine(share, done);
        else waitForMemory(share).then(() => enterLine(share, done), done);
      },
      () => {
        for (const giveBack of share.held) giveBack();
        share.held.clear();
        take(share, streams === true || waits === true ? 'waiting' : 'handled');
      },
    );
  });

  http.addHook('onSend', (request, _reply, payload, done) => {
    const share = shares.get(request);
    if (share !== undefined) close(share);
    const isExport = payload instanceof Readable && share !== undefined && !share.isStranger;
    done(null, isExport ? Readable.from(inLine(share, payload)) : payload);
  });

  /** Reads a response that is made while it is sent. Each piece of it waits in the line, and no place is held while the client reads. */
  async function* inLine(caller: Caller, pieces: Readable): AsyncGenerator<unknown> {
    const iterator = pieces[Symbol.asyncIterator]();
    try {
      for (;;) {
        await new Promise<void>((resolve) => lines.enter(caller, resolve));
        const next = await iterator.next().finally(() => lines.leave(caller));
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }

  return () => {
    const { strangers, members } = rooms;
    return {
      requests: strangers.handled.count + members.handled.count,
      waiting: strangers.waiting.count + members.waiting.count,
      bodyBytes: strangers.bodies.bytes + members.bodies.bytes,
      refused: { ...refused },
      limits,
    };
  };
}

type Refuse = (extra: { retryAfter: number }) => DomainError;

/** The places and the memory of organizations, and those of strangers, who cannot take them from an organization. */
function openRooms(
  { requests, waiting, bodyBytes }: LoadLimits,
  refuse: (limit: keyof LoadLimits, error?: Refuse) => DomainError,
) {
  const few = { reserved: Math.ceil(requests * RESERVED), few: requests * FEW };
  const handled = () => new Places({ all: requests, ...few }, () => refuse('requests'));
  const waitingPlaces = (all: number, ofOne: number) =>
    new Places({ all: Math.ceil(waiting * all), ofOne: Math.ceil(waiting * ofOne) }, () =>
      refuse('waiting', httpRefusals.too_many_waiting),
    );
  const memory = (all: number, ofOne: number) =>
    new Bodies({ all: bodyBytes * all, ofOne: bodyBytes * ofOne }, () => refuse('bodyBytes'));
  return {
    members: { handled: handled(), waiting: waitingPlaces(1, WAITING_OF_ONE), bodies: memory(1, 1) },
    strangers: {
      handled: handled(),
      waiting: waitingPlaces(WAITING_OF_STRANGERS, WAITING_OF_ADDRESS),
      bodies: memory(BYTES_OF_STRANGERS, BYTES_OF_ADDRESS),
    },
  };
}

/** Infinity for a body of unknown length. */
function declaredLength({ raw: { headers } }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers['content-length'] ?? 0);
}

/**
 * Passes a body on. `count` gets the size of each piece, and ends the body by throwing. After `stop`, nothing is passed on or counted: the
 * rest is read and thrown away, since destroying the body would close the connection before the reply. The pieces of a large body wait for
 * their turns.
 */
function counted(body: Readable, count: (bytes: number) => void, turnOf: (pass: () => void) => void) {
  let arrived = 0;
  const inTurn = (piece: Buffer, pass: () => void) => {
    arrived += piece.length;
    if (arrived <= READ_FREELY_BYTES) pass();
    else turnOf(pass);
  };
  const counter: Transform = new Transform({
    transform: (piece: Buffer, _encoding, done) =>
      attempt(
        (error) => (error === undefined ? inTurn(piece, () => done(null, piece)) : stop(error)),
        () => count(piece.length),
      ),
  });
  const stop = (error?: Error) => {
    if (counter.destroyed) return;
    body.unpipe(counter).pipe(new Writable({ write: (piece, _encoding, done) => inTurn(piece, done) }));
    counter.destroy(error);
  };
  // A parser listens only while it reads. Without any listener, an error would end the process.
  counter.on('error', () => undefined);
  body.on('error', () => stop(incomplete()));
  body.once('close', () => {
    if (!body.readableEnded) stop(incomplete());
  });
  return { counter: body.pipe(counter), stop };
}

const incomplete = httpRefusals.body_incomplete;

function attempt(done: (error?: Error) => void, work: () => void) {
  try {
    work();
  } catch (error) {
    return done(error as Error);
  }
  done();
}

import { errorCodes, type FastifyRequest } from 'fastify';
import { pacer } from '../pacer.ts';

const BLOCK_BYTES = 1024 * 1024;

/** A body as it arrived, in blocks of about a megabyte. Joining a large one takes tens of milliseconds. */
export class Blocks {
  readonly #full: Buffer<ArrayBuffer>[] = [];
  #pieces: Buffer[] = [];
  #pending = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(piece: Buffer) {
    this.#pieces.push(piece);
    this.#length += piece.length;
    this.#pending += piece.length;
    if (this.#pending >= BLOCK_BYTES) this.#close();
  }

  #close() {
    if (this.#pending === 0) return;
    // Not from the pool, whose memory cannot pass to another thread.
    const block = Buffer.allocUnsafeSlow(this.#pending);
    let at = 0;
    for (const piece of this.#pieces) at += piece.copy(block, at);
    this.#full.push(block);
    this.#pieces = [];
    this.#pending = 0;
  }

  /** Returns the blocks, and keeps none. Each has its memory for itself, so that it can pass to another thread. */
  take(): Buffer<ArrayBuffer>[] {
    this.#close();
    return this.#full.splice(0);
  }

  /** Joins a small body. */
  whole(): Buffer {
    return Buffer.concat([...this.#full, ...this.#pieces]);
  }

  /** Joins a body of any size. Other requests run in between. */
  async joined(): Promise<Buffer> {
    const pace = pacer();
    const whole = Buffer.allocUnsafeSlow(this.length);
    let at = 0;
    for (const block of this.take()) {
      at += block.copy(whole, at);
      await pace();
    }
    return whole;
  }
}

/** Reads a body within the limit of its route, for content type parsers. Fastify's own would join a large one in one step. */
export function receiveBlocks(
  request: FastifyRequest,
  payload: NodeJS.ReadableStream,
  done: (error: Error | null, blocks: Blocks) => void,
) {
  const limit = request.routeOptions.bodyLimit ?? 0;
  const declared = Number(request.headers['content-length']);
  const blocks = new Blocks();
  const finish = (error: Error | null) => {
    payload.off('data', add).off('end', end).off('error', finish);
    done(error, blocks);
  };
  const add = (piece: Buffer) => {
    blocks.add(piece);
    if (blocks.length > limit) finish(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
  };
  const end = () => {
    const isCut = !Number.isNaN(declared) && blocks.length !== declared;
    finish(isCut ? new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH() : null);
  };
  if (declared > limit) return done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE(), blocks);
  payload.on('data', add).on('end', end).on('error', finish);
  payload.resume();
}

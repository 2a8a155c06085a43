import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Sends CSV text as a file. The reply is typed as one of the route's JSON answers, which it replaces. */
export function sendCsv(reply: FastifyReply, filename: string, text: AsyncIterable<string>): never {
  reply.header('content-disposition', `attachment; filename="${filename}"`);
  reply.type('text/csv; charset=utf-8');
  return reply.send(Readable.from(text)) as never;
}

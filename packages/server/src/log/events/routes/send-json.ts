import type { FastifyReply } from 'fastify';

/** Sends a text that is JSON already, as the database made it, without parsing and serializing it again. */
export const sendJson = (reply: FastifyReply, json: string) =>
  reply.type('application/json; charset=utf-8').serializer(unchanged).send(json);

const unchanged = (json: unknown) => json as string;

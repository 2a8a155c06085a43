import type { FastifyRequest } from 'fastify';
import { causeOf } from '../../identity/cause.ts';
import type { Caller } from '../admin.ts';

export const callerOf = (request: FastifyRequest): Caller => ({
  principal: request.principal,
  ...causeOf(request),
});

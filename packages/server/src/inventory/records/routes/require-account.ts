import type { FastifyRequest } from 'fastify';
import type { Db } from '../../../kit/database/open.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { accountOf } from '../accounts.ts';

/** A hook that throws 404 for an account that the caller may not read, before a malformed body leads to 400. */
export const requireAccount = (db: Db) => async (request: FastifyRequest) => {
  const { account_id } = request.params as { account_id: string };
  await accountOf(callOf(db, request), account_id);
};

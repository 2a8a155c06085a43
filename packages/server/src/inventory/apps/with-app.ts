import type { FastifyRequest } from 'fastify';
import type { Db } from '#kit/database.ts';
import type { App } from './app.ts';
import { accessibleApp } from './apps.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The app that the address names. Set by withApp. */
    bridgeApp: App;
  }
}

/**
 * Returns an onRequest hook that loads the app of the address. It throws 404 if the app does not exist and 403 if the
 * key may not access it, before the body is read (D6).
 */
export const withApp = (db: Db) => async (request: FastifyRequest) => {
  const { app_id } = request.params as { app_id: string };
  request.bridgeApp = await accessibleApp(db, request.principal, app_id);
};

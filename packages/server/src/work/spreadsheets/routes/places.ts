import type { FastifyRequest } from 'fastify';
import type { TProperties } from 'typebox';
import type { App } from '#inventory/apps/app.ts';
import { accessibleApp } from '#inventory/apps/apps.ts';
import { type RouteTools, resource } from '#kit/http.ts';
import type { Call } from '#kit/identity.ts';
import { Uuid } from '#kit/schemas.ts';
import { uploadOf, uploadView } from '../find.ts';
import type { Target, Upload } from '../upload.ts';
import { UploadView } from './schemas.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The app to which an upload goes. Loaded before the body is read. */
    bridgeApp: App;
  }
}

const administrators = { scope: 'govern', roles: ['owner', 'admin'] } as const;

/** The addresses of uploads: those of an app, and those of people. Every route exists for both. */
export type Place = ReturnType<typeof placeOf>;

const ofApp = placeOf({
  path: '/api/apps/:app_id/uploads/',
  params: { app_id: Uuid },
  id: 'upload_id',
  tag: 'Apps',
  of: 'of an app',
  config: { access: { ...administrators, apps: 'listed' } },
  before: async (request: FastifyRequest, { db }: RouteTools) => {
    const { app_id } = request.params as { app_id: string };
    request.bridgeApp = await accessibleApp(db, request.principal, app_id);
  },
  targetOf: ({ bridgeApp }) => bridgeApp,
  findTarget: ({ db, principal }, { app_id = '' }) => accessibleApp(db, principal, app_id),
});

const ofPeople = placeOf({
  path: '/api/users/uploads/',
  params: {},
  id: 'people_upload_id',
  tag: 'People',
  of: 'of people',
  config: { access: administrators },
  before: () => {},
  targetOf: () => null,
  findTarget: async () => null,
});

export const PLACES: readonly Place[] = [ofApp, ofPeople];

interface Options {
  path: string;
  params: TProperties;
  id: string;
  tag: string;
  /** Completes "Upload a spreadsheet ...". */
  of: string;
  config: { access: typeof administrators & { apps?: 'listed' } };
  /** Throws 404 or 403 before the body is read (D6). Operations on one upload find the target with the upload. */
  before: (request: FastifyRequest, tools: RouteTools) => unknown;
  targetOf: (request: FastifyRequest) => Target;
  findTarget: (call: Call, params: Record<string, string>) => Promise<Target>;
}

function placeOf({ findTarget, ...place }: Options) {
  const { path, params, id, tag, config } = place;
  const uploads = resource({
    path,
    params,
    id,
    tag,
    reading: config,
    managing: config,
    find: async (call, uploadId, within) => {
      const target = await findTarget(call, within);
      return { target, upload: await uploadOf(call, target, uploadId) };
    },
    load: (call: Call, { upload }: { target: Target; upload: Upload }) => uploadView(call, upload),
    schema: UploadView,
    view: (shown: Awaited<ReturnType<typeof uploadView>>) => shown,
  });
  return { ...place, uploads };
}

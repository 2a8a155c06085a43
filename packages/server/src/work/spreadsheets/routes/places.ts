import type { FastifyRequest } from 'fastify';
import { type TObject, Type } from 'typebox';
import { withApp } from '../../../inventory/apps/with-app.ts';
import type { Database, Db } from '../../../kit/database/open.ts';
import { within } from '../../../kit/database/organization.ts';
import { Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import type { Jobs } from '../../../kit/jobs/jobs.ts';
import { uploadOf } from '../find.ts';
import type { Target } from '../upload.ts';

export interface SpreadsheetTools extends RouteTools {
  database: Database;
  jobs: Jobs;
}

type Hook = (request: FastifyRequest) => Promise<void>;

/** The addresses of uploads: those of an app, and those of people. Every route exists for both. */
export interface Place {
  path: string;
  /** The address of one upload. */
  uploadPath: string;
  tag: string;
  /** Completes "Upload a spreadsheet ...". */
  of: string;
  config: { access: { scope: string; roles: readonly string[]; apps?: 'listed' } };
  params: TObject;
  uploadParams: TObject;
  /** Throw 404 or 403 before the body is read (D6). */
  onPlace(db: Db): Hook[];
  onUpload(db: Db): Hook[];
  targetOf(request: FastifyRequest): Target;
  idOf(request: FastifyRequest): string;
}

const administrators = { scope: 'govern', roles: ['owner', 'admin'] } as const;
const AppParams = Type.Object({ app_id: Uuid });

const ofApp: Place = place({
  path: '/api/apps/:app_id/uploads/',
  parameter: 'upload_id',
  tag: 'Apps',
  of: 'of an app',
  config: { access: { ...administrators, apps: 'listed' } },
  params: AppParams,
  uploadParams: Type.Object({ app_id: Uuid, upload_id: Uuid }),
  onPlace: (db) => [withApp(db)],
  targetOf: ({ bridgeApp }) => bridgeApp,
});

const ofPeople: Place = place({
  path: '/api/users/uploads/',
  parameter: 'people_upload_id',
  tag: 'People',
  of: 'of people',
  config: { access: administrators },
  params: Type.Object({}),
  uploadParams: Type.Object({ people_upload_id: Uuid }),
  onPlace: () => [],
  targetOf: () => null,
});

function place({
  parameter,
  ...given
}: Omit<Place, 'uploadPath' | 'onUpload' | 'idOf'> & { parameter: string }): Place {
  const idOf = (request: FastifyRequest) => (request.params as Record<string, string>)[parameter] ?? '';
  const requireUpload =
    (db: Db): Hook =>
    async (request) => {
      await uploadOf(within(db, request.principal.orgId), given.targetOf(request), idOf(request));
    };
  return {
    ...given,
    uploadPath: `${given.path}:${parameter}/`,
    idOf,
    onUpload: (db) => [...given.onPlace(db), requireUpload(db)],
  };
}

/** Adds a route at both places. */
export function atBoth(add: (http: Http, tools: SpreadsheetTools, place: Place) => void | Promise<void>) {
  return async (http: Http, tools: SpreadsheetTools) => {
    for (const one of [ofApp, ofPeople]) await add(http, tools, one);
  };
}

import { addRoutes, type Http, type RouteTools } from '#kit/http.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import { createUploadRoute } from './create-upload.ts';
import { PLACES } from './places.ts';
import { uploadRoutes } from './uploads.ts';

/** Spreadsheets that people upload as a sync of an app, or to import people. */
export async function spreadsheetRoutes(http: Http, tools: RouteTools & { jobs: Jobs }) {
  const routes = PLACES.flatMap((place) => uploadRoutes(place, tools.jobs));
  addRoutes(http, tools, routes);
  await http.register(async (scope) => {
    // A file is taken as it is, whatever its content type.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    addRoutes(scope as unknown as Http, tools, PLACES.map(createUploadRoute));
  });
}

import type { Http } from '../../platform/http/server.ts';
import { applyUploadRoute } from './apply-upload.ts';
import { checkUploadRoute } from './check-upload.ts';
import { createUploadRoute } from './create-upload.ts';
import { discardUploadRoute } from './discard-upload.ts';
import { getSampleRoute } from './get-sample.ts';
import { getUploadRoute } from './get-upload.ts';
import { listProblemsRoute } from './list-problems.ts';
import type { SpreadsheetTools } from './places.ts';
import { readUploadRoute } from './read-upload.ts';

/** Spreadsheets that people upload as a sync of an app, or to import people. */
export async function spreadsheetRoutes(http: Http, tools: SpreadsheetTools) {
  await createUploadRoute(http, tools);
  await getSampleRoute(http, tools);
  await getUploadRoute(http, tools);
  await readUploadRoute(http, tools);
  await checkUploadRoute(http, tools);
  await listProblemsRoute(http, tools);
  await applyUploadRoute(http, tools);
  await discardUploadRoute(http, tools);
}

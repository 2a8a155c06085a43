import type { Http } from '../../../kit/http/server.ts';
import { createUploadRoute } from './create-upload.ts';
import type { SpreadsheetTools } from './places.ts';
import {
  applyUploadRoute,
  checkUploadRoute,
  discardUploadRoute,
  getSampleRoute,
  getUploadRoute,
  listProblemsRoute,
  readUploadRoute,
} from './uploads.ts';

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

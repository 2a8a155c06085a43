import { Type } from 'typebox';
import { within } from '../../../kit/database/organization.ts';
import { csvOf, sendCsv } from '../../../kit/http/csv.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { causeOf } from '../../../kit/identity/cause.ts';
import { applyUpload, discardUpload } from '../apply.ts';
import { startCheck } from '../check.ts';
import { problemsOf, uploadOf, uploadView } from '../find.ts';
import type { Mapping } from '../mapping.ts';
import { applyPeople, checkPeople } from '../people.ts';
import type { Problem } from '../problem.ts';
import { readAgain } from '../receive.ts';
import { sampleRows } from '../sample.ts';
import { writeXlsx } from '../write-xlsx.ts';
import { atBoth } from './places.ts';
import { ApplyBody, CheckBody, ReadOptionsBody, UploadView } from './schemas.ts';

export const applyUploadRoute = atBoth((http, tools, place) => {
  const { db, jobs } = tools;
  http.post(
    `${place.uploadPath}apply/`,
    {
      config: { ...place.config, waits: true },
      onRequest: place.onUpload(db),
      schema: {
        tags: [place.tag],
        summary: `Apply an upload ${place.of}`,
        description:
          'For an app, completes the sync session of the upload. For people, imports all rows. 409 if something else has changed what the plan shows, or if a remark needs a confirmation that is missing.',
        params: place.uploadParams,
        body: ApplyBody,
        response: { 200: UploadView },
      },
    },
    async (request) => {
      const call = callOf(db, request);
      const target = place.targetOf(request);
      const { confirm = [] } = (request.body ?? {}) as { confirm?: string[] };
      const chosen = { id: place.idOf(request), confirmed: confirm };
      const upload =
        target === null ? await applyPeople(call, chosen) : await applyUpload(jobs, call, target, chosen);
      return uploadView(call, upload);
    },
  );
});

export const checkUploadRoute = atBoth((http, tools, place) => {
  const { db, jobs } = tools;
  http.post(
    `${place.uploadPath}check/`,
    {
      config: { ...place.config, waits: true },
      onRequest: place.onUpload(db),
      schema: {
        tags: [place.tag],
        summary: `Check the rows of an upload ${place.of}`,
        description:
          'Lists the problems of the rows, or plans the changes if there are none. For an app, 202: a job checks the rows and pushes them into a sync session, which replaces an open session of the app. Ask for the upload until it is no longer `checking`; the plan of its session shows the changes.',
        params: place.uploadParams,
        body: CheckBody,
        response: { 200: UploadView, 202: UploadView },
      },
    },
    async (request, reply) => {
      const call = callOf(db, request);
      const target = place.targetOf(request);
      const id = place.idOf(request);
      const { mapping } = request.body as { mapping: Mapping };
      if (target !== null) reply.code(202);
      const upload =
        target === null
          ? await checkPeople(call, id, mapping)
          : await startCheck(jobs, call, target, id, mapping);
      return uploadView(call, upload);
    },
  );
});

export const discardUploadRoute = atBoth((http, { db }, place) => {
  http.delete(
    place.uploadPath,
    {
      config: place.config,
      onRequest: place.onUpload(db),
      schema: {
        tags: [place.tag],
        summary: `Discard an upload ${place.of}`,
        description: 'Deletes the file, and ends its sync session without publishing it.',
        params: place.uploadParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const target = place.targetOf(request);
      await discardUpload(within(db, request.principal.orgId), target, place.idOf(request), causeOf(request));
      reply.code(204);
      return null;
    },
  );
});

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export const getSampleRoute = atBoth((http, { db }, place) => {
  http.get(
    `${place.path}sample/`,
    {
      config: place.config,
      onRequest: place.onPlace(db),
      schema: {
        tags: [place.tag],
        summary: `Download a sample spreadsheet ${place.of}`,
        params: place.params,
        querystring: Type.Object({ format: Type.Optional(Type.Enum(['csv', 'xlsx'], { default: 'csv' })) }),
        response: {
          200: {
            content: { 'text/csv': { schema: Type.String() }, [XLSX]: { schema: Type.Any() } },
          },
        },
      },
    },
    async (request, reply) => {
      const rows = await sampleRows(within(db, request.principal.orgId), place.targetOf(request));
      const name = place.of === 'of people' ? 'people' : 'accounts';
      const { format } = request.query as { format?: 'csv' | 'xlsx' };
      if (format === 'xlsx') {
        reply.header('content-disposition', `attachment; filename="${name}.xlsx"`);
        return reply.type(XLSX).send(writeXlsx('Sheet1', rows)) as never;
      }
      const [headers = [], ...lines] = rows;
      const columns = Object.fromEntries(
        headers.map((header, index) => [header, (row: string[]) => row[index]]),
      );
      return sendCsv(reply, `${name}.csv`, csvOf(columns, slicesOf(lines)));
    },
  );
});

async function* slicesOf(lines: string[][]): AsyncGenerator<string[][]> {
  yield lines;
}

export const getUploadRoute = atBoth((http, { db }, place) => {
  http.get(
    place.uploadPath,
    {
      config: place.config,
      onRequest: place.onUpload(db),
      schema: {
        tags: [place.tag],
        summary: `Get an upload ${place.of}`,
        params: place.uploadParams,
        response: { 200: UploadView },
      },
    },
    async (request) => {
      const { orgId } = request.principal;
      const upload = await uploadOf(within(db, orgId), place.targetOf(request), place.idOf(request));
      return uploadView(within(db, orgId), upload);
    },
  );
});

export const listProblemsRoute = atBoth((http, { db }, place) => {
  http.get(
    `${place.uploadPath}problems/`,
    {
      config: place.config,
      onRequest: place.onUpload(db),
      schema: {
        tags: [place.tag],
        summary: `Download the problems of an upload ${place.of}`,
        description: 'A CSV file with the first 100,000 problems of the rows.',
        params: place.uploadParams,
        response: { 200: { content: { 'text/csv': { schema: Type.String() } } } },
      },
    },
    async (request, reply) => {
      const { orgId } = request.principal;
      const { id } = await uploadOf(within(db, orgId), place.targetOf(request), place.idOf(request));
      return sendCsv(reply, 'problems.csv', csvOf(COLUMNS, problemsOf(within(db, orgId), id)));
    },
  );
});

const COLUMNS = {
  row: ({ row }: Problem) => row,
  column: ({ column }: Problem) => column,
  value: ({ value }: Problem) => value,
  message: ({ message }: Problem) => message,
};

export const readUploadRoute = atBoth((http, { db }, place) => {
  http.post(
    `${place.uploadPath}read/`,
    {
      config: { ...place.config, waits: true },
      onRequest: place.onUpload(db),
      schema: {
        tags: [place.tag],
        summary: `Read an upload ${place.of} in another way`,
        description:
          'Reads the file with another encoding, separator or sheet. Settings that are left out are detected.',
        params: place.uploadParams,
        body: ReadOptionsBody,
        response: { 200: UploadView },
      },
    },
    async (request) => {
      const { orgId } = request.principal;
      const upload = await readAgain(
        within(db, orgId),
        place.targetOf(request),
        place.idOf(request),
        request.body as Parameters<typeof readAgain>[3],
      );
      return uploadView(within(db, orgId), upload);
    },
  );
});

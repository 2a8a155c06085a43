import { Type } from 'typebox';
import { csvOf } from '#kit/csv.ts';
import { route, sendCsv } from '#kit/http.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import { applyUpload, discardUpload } from '../apply.ts';
import { startCheck } from '../check.ts';
import { problemsOf, uploadView } from '../find.ts';
import { applyPeople, checkPeople } from '../people.ts';
import type { Problem } from '../problem.ts';
import { readAgain } from '../receive.ts';
import { sampleRows } from '../sample.ts';
import { writeXlsx } from '../write-xlsx.ts';
import type { Place } from './places.ts';
import { ApplyBody, CheckBody, ReadOptionsBody, UploadView } from './schemas.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const sampleRoute = ({ path, tag, of, config, params, before, targetOf }: Place) =>
  route(
    'GET',
    `${path}sample/`,
    {
      tag,
      config,
      summary: `Download a sample spreadsheet ${of}`,
      before,
      params,
      query: { format: Type.Optional(Type.Enum(['csv', 'xlsx'], { default: 'csv' })) },
      reply: { content: { 'text/csv': { schema: Type.String() }, [XLSX]: { schema: Type.Any() } } },
    },
    async ({ call, query, request, reply }) => {
      const rows = await sampleRows(call, targetOf(request));
      const name = of === 'of people' ? 'people' : 'accounts';
      if (query.format === 'xlsx') {
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

async function* slicesOf(lines: string[][]): AsyncGenerator<string[][]> {
  yield lines;
}

const COLUMNS = {
  row: ({ row }: Problem) => row,
  column: ({ column }: Problem) => column,
  value: ({ value }: Problem) => value,
  message: ({ message }: Problem) => message,
};

export function uploadRoutes(place: Place, jobs: Jobs) {
  const { uploads, of } = place;
  const waiting = { ...place.config, waits: true } as const;
  return [
    sampleRoute(place),
    uploads.get(`Get an upload ${of}`),
    uploads.act(
      'read/',
      `Read an upload ${of} in another way`,
      {
        description:
          'Reads the file with another encoding, separator or sheet. Settings that are left out are detected.',
        config: waiting,
        body: ReadOptionsBody,
      },
      async ({ call, found: { target, upload }, body }) =>
        uploadView(call, await readAgain(call, target, upload.id, body)),
    ),
    uploads.one.post(
      'check/',
      `Check the rows of an upload ${of}`,
      {
        description:
          'Lists the problems of the rows, or plans the changes if there are none. For an app, 202: a job checks the rows and pushes them into a sync session, which replaces an open session of the app. Ask for the upload until it is no longer `checking`; the plan of its session shows the changes.',
        config: waiting,
        body: CheckBody,
        reply: UploadView,
        replies: { 202: UploadView },
      },
      async ({ call, found: { target, upload }, body: { mapping }, reply }) => {
        if (target === null) return uploadView(call, await checkPeople(call, upload.id, mapping));
        reply.code(202);
        return uploadView(call, await startCheck(jobs, call, target, upload.id, mapping));
      },
    ),
    uploads.one.get(
      'problems/',
      `Download the problems of an upload ${of}`,
      {
        description: 'A CSV file with the first 100,000 problems of the rows.',
        reply: { content: { 'text/csv': { schema: Type.String() } } },
      },
      ({ call, found: { upload }, reply }) =>
        sendCsv(reply, 'problems.csv', csvOf(COLUMNS, problemsOf(call, upload.id))),
    ),
    uploads.act(
      'apply/',
      `Apply an upload ${of}`,
      {
        description:
          'For an app, completes the sync session of the upload. For people, imports all rows. 409 if something else has changed what the plan shows, or if a remark needs a confirmation that is missing.',
        config: waiting,
        body: ApplyBody,
      },
      async ({ call, found: { target, upload }, body }) => {
        const chosen = { id: upload.id, confirmed: body?.confirm ?? [] };
        const applied =
          target === null ? await applyPeople(call, chosen) : await applyUpload(jobs, call, target, chosen);
        return uploadView(call, applied);
      },
    ),
    uploads.remove(
      `Discard an upload ${of}`,
      { description: 'Deletes the file, and ends its sync session without publishing it.' },
      ({ call, found: { target, upload } }) => discardUpload(call, target, upload.id, call.cause),
    ),
  ];
}

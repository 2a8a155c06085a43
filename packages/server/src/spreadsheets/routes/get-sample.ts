import { Type } from 'typebox';
import { csvOf, sendCsv } from '../../platform/http/csv.ts';
import { sampleRows } from '../sample.ts';
import { writeXlsx } from '../write-xlsx.ts';
import { atBoth } from './places.ts';

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
      const rows = await sampleRows(db, request.principal.orgId, place.targetOf(request));
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

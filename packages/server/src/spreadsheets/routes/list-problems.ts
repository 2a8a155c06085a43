import { Type } from 'typebox';
import { csvOf, sendCsv } from '../../platform/http/csv.ts';
import type { Problem } from '../problem.ts';
import { problemsOf, uploadOf } from '../upload.ts';
import { atBoth } from './places.ts';

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
      const { id } = await uploadOf(db, orgId, place.targetOf(request), place.idOf(request));
      return sendCsv(reply, 'problems.csv', csvOf(COLUMNS, problemsOf(db, orgId, id)));
    },
  );
});

const COLUMNS = {
  row: ({ row }: Problem) => row,
  column: ({ column }: Problem) => column,
  value: ({ value }: Problem) => value,
  message: ({ message }: Problem) => message,
};

import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { getCycle } from '../cycles.ts';
import { evidenceAsCsv, evidenceAsJson, recordExport } from '../evidence.ts';
import { cycleView } from './cycle-schemas.ts';
import { itemView } from './item-schemas.ts';
import { accessibleCycle, CycleParams, reading, tags } from './schemas.ts';

const Format = Type.Object({ format: Type.Optional(Type.Enum(['json', 'csv'])) });

export function exportEvidenceRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/reviews/cycles/:cycle_id/evidence/',
    {
      config: { ...reading, reads: 'replica' },
      onRequest: accessibleCycle(db),
      schema: {
        tags,
        summary: 'Export the evidence of a cycle',
        description: 'Who decided what, when and why, and the result of each revocation.',
        params: CycleParams,
        querystring: Format,
        response: { 200: { description: 'The cycle and all its items as JSON, or the items as CSV.' } },
      },
    },
    async (request, reply) => {
      const { db } = request.reads;
      const { principal, params, query } = request;
      const { cycle_id } = params;
      const { format = 'json' } = query;
      const { orgId } = principal;
      await recordExport(db, orgId, cycle_id, format, causeOf(request));
      reply.header('content-disposition', `attachment; filename="review-${cycle_id}.${format}"`);
      if (format === 'csv') {
        reply.type('text/csv; charset=utf-8');
        return reply.send(Readable.from(evidenceAsCsv(db, orgId, cycle_id)));
      }
      const cycle = cycleView(await getCycle(db, principal, cycle_id));
      reply.type('application/json; charset=utf-8');
      const head = { cycle, generated_at: new Date() };
      return reply.send(Readable.from(evidenceAsJson(db, orgId, cycle_id, head, itemView)));
    },
  );
}

import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { Nullable } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { approveRemoval } from '../held.ts';
import { onSession } from './on-session.ts';
import { PlanMoved } from './plan-schemas.ts';
import { adminTags, decide, SessionParams, SessionView } from './schemas.ts';

const Approval = Type.Optional(
  Nullable(
    Type.Object({
      plan: Type.Optional(
        Type.String({
          maxLength: 128,
          description: 'The `plan` of the plan that you have seen. 409 if the removal has changed since.',
        }),
      ),
    }),
  ),
);

export function approveRemovalRoute(http: Http, { db, jobs }: RouteTools & { jobs: Jobs }) {
  http.post(
    '/api/apps/:app_id/syncs/:sync_id/approve/',
    {
      config: decide,
      onRequest: onSession(db),
      schema: {
        tags: adminTags,
        summary: 'Approve held removals',
        description:
          'Removes the accounts, groups, licenses and memberships that the removal guard has held.',
        params: SessionParams,
        body: Approval,
        response: { 202: SessionView, 409: PlanMoved },
      },
    },
    async (request, reply) => {
      const { principal, bridgeApp, params, body } = request;
      const outcome = await approveRemoval(
        { db, jobs },
        principal.orgId,
        bridgeApp.id,
        params.sync_id,
        causeOf(request),
        body?.plan,
      );
      if (!('difference' in outcome)) {
        reply.code(202);
        return outcome;
      }
      reply.code(409);
      const { detail, ...difference } = outcome.difference;
      return { detail, difference };
    },
  );
}

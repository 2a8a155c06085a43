import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Db } from '../../../kit/database/open.ts';
import { within } from '../../../kit/database/organization.ts';
import { Nullable, Uuid } from '../../../kit/http/schemas.ts';
import type { RouteTools } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { requireAllApps } from '../../../kit/identity/principal.ts';
import type { Jobs } from '../../../kit/jobs/jobs.ts';
import { getCampaign } from '../campaigns.ts';
import type { ReadGrantDecisions } from '../context.ts';
import { CYCLE_STATUSES, DECISIONS, REVOKE_ACCOUNT_BY } from '../cycle.ts';
import { accessibleCycle } from '../cycles.ts';

export type ReviewTools = RouteTools & { jobs: Jobs; readGrantDecisions: ReadGrantDecisions };

export const tags = ['Access reviews'];
/** Owners and admins manage campaigns, auditors read them, members review what is theirs (protocol 16). */
export const managing = { access: { scope: 'govern', roles: ['owner', 'admin'] } } as const;
export const reading = { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] } } as const;
export const reviewing = { access: { scope: 'govern' } } as const;
export const deciding = {
  access: { scope: 'govern', roles: ['owner', 'admin', 'member'], personal: true },
} as const;

export const CampaignParams = Type.Object({ review_id: Uuid });
export const CycleParams = Type.Object({ cycle_id: Uuid });

/** Reviews cover the whole organization, so that an app-scoped key cannot use them (D7). */
export const allApps = async ({ principal }: FastifyRequest) => requireAllApps(principal, 'access reviews');

/** Runs before the body is validated, so that 404 comes before 400 (D6). */
export const knownCampaign = (db: Db) => [
  allApps,
  async ({ principal, params }: FastifyRequest) => {
    await getCampaign(within(db, principal.orgId), (params as { review_id: string }).review_id);
  },
];

/** Runs before the body is validated, so that 404 and 403 come before 400 (D6). */
export const knownCycle = (db: Db) => [
  allApps,
  async (request: FastifyRequest) => {
    await accessibleCycle(callOf(db, request), (request.params as { cycle_id: string }).cycle_id);
  },
];

export const Decision = Type.Enum([...DECISIONS], { title: 'ReviewDecision' });
export const CycleStatus = Type.Enum([...CYCLE_STATUSES], { title: 'ReviewCycleStatus' });
export const RevokeAccountBy = Type.Enum([...REVOKE_ACCOUNT_BY]);
export const Comment = Type.Optional(Nullable(Type.String({ maxLength: 2000 })));

import { type Place, type RouteTools, resource } from '#kit/http.ts';
import { requireAllApps } from '#kit/identity.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import { campaignVersion, getCampaign } from '../../campaigns/campaigns.ts';
import { CampaignView, campaignView } from '../../campaigns/routes/campaign-schemas.ts';
import { accessibleCycle, withResults } from '../cycles.ts';
import { CycleView, cycleView } from './cycle-schemas.ts';

/** Owners and admins manage campaigns, auditors read them, members review what is theirs (protocol 16). */
const place = {
  tag: 'Access reviews',
  managing: { access: { scope: 'govern', roles: ['owner', 'admin'] } },
  /** Reviews cover the whole organization, so that an app-scoped key cannot use them (D7). */
  allow: ({ principal }) => requireAllApps(principal, 'access reviews'),
} satisfies Partial<Place>;

export const overseeing = { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] } } as const;

export const deciding = {
  access: { scope: 'govern', roles: ['owner', 'admin', 'member'], personal: true },
} as const;

export const campaigns = resource({
  ...place,
  path: '/api/reviews/',
  reading: overseeing,
  id: 'review_id',
  find: getCampaign,
  schema: CampaignView,
  view: campaignView,
  version: campaignVersion,
});

export const cycles = resource({
  ...place,
  path: '/api/reviews/cycles/',
  reading: { access: { scope: 'govern' } },
  id: 'cycle_id',
  find: accessibleCycle,
  load: withResults,
  schema: CycleView,
  view: (cycle, { principal }) => cycleView(cycle, principal),
});

export type ReviewTools = RouteTools & { jobs: Jobs };

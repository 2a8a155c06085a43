import { Type } from 'typebox';
import { resource } from '#kit/http.ts';
import { findingFilters } from '../filters.ts';
import { FindingAcceptance, FindingAssignment, FindingSummary, FindingView } from '../finding-schemas.ts';
import {
  acceptFinding,
  accessibleFinding,
  assignFinding,
  listFindings,
  reopenFinding,
  summarize,
  viewOf,
} from '../findings.ts';

const findings = resource({
  path: '/api/findings/',
  tag: 'Findings',
  reading: { access: { scope: 'read', apps: 'listed' } },
  managing: { access: { scope: 'govern', roles: ['owner', 'admin'], apps: 'listed' } },
  id: 'finding_id',
  find: accessibleFinding,
  schema: FindingView,
  view: viewOf,
});

/** The faults of an organization. */
export const findingRoutes = [
  findings.list(
    'List findings',
    {
      description:
        'Lists faults of the organization, those that began last first: open, unless `status` says otherwise. Members see what concerns their reports and what is assigned to them, and keys for some apps what concerns these.',
      query: findingFilters.query,
      isLong: true,
    },
    listFindings,
  ),
  findings.all.get(
    'summary/',
    'Count findings by day',
    {
      description:
        'The findings that were not resolved at the end of each of the last days (UTC), and those that are open now, by kind.',
      query: { days: Type.Integer({ minimum: 1, maximum: 366, default: 90 }) },
      reply: FindingSummary,
    },
    ({ call, query }) => summarize(call, query.days),
  ),
  findings.get('Get finding'),
  findings.act(
    'accept/',
    'Accept finding',
    {
      description:
        'Until a time within a year, then it is open again. Returns 409 if it is resolved, and 403 if it is about your own access.',
      body: FindingAcceptance,
    },
    ({ call, found, body }) => acceptFinding(call, found, body),
  ),
  findings.act(
    'assign/',
    'Assign finding',
    {
      description: 'Makes somebody look after it, or nobody (null).',
      config: { access: { scope: 'govern', roles: ['owner', 'admin'] } },
      body: FindingAssignment,
    },
    ({ call, found, body }) => assignFinding(call, found, body.user),
  ),
  findings.act(
    'reopen/',
    'Reopen finding',
    { description: 'Ends an acceptance before its time. Returns 409 if the finding is not accepted.' },
    ({ call, found }) => reopenFinding(call, found),
  ),
];

import { Type } from 'typebox';
import { managedAccount } from '#inventory/records/accounts/routes/account-pages.ts';
import { ManagedAccount } from '#inventory/records/accounts/schemas.ts';
import { list, route } from '#kit/http.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { reportFilters } from '../filters.ts';
import { listTeam, teamMember } from '../team.ts';

const tag = 'My team';
/** Everybody may read the people who report to them. App-scoped keys do not read people (D7). */
const reading = { access: { scope: 'read' } } as const;

const Count = Type.Integer({ minimum: 0 });

const TeamMember = Component('TeamMember', {
  external_uuid: Uuid,
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  title: Nullable(Type.String()),
  department: Nullable(Type.String()),
  status: Type.Enum(['active', 'deactivated']),
  access: Component(
    'TeamMemberAccess',
    { accounts: Count, groups: Count, licenses: Count, last_sign_in_at: Nullable(Timestamp) },
    {
      description:
        'The number of accounts, groups and licenses in all apps, and the newest sign-in that an app reports.',
    },
  ),
  requests: Type.Array(
    Component('TeamMemberRequest', {
      external_uuid: Uuid,
      label: Type.String(),
      created_at: Timestamp,
      to_decide: Type.Boolean({ description: 'Whether the caller can decide it now.' }),
      is_own: Type.Boolean({ description: 'Whether the caller requested or filed it.' }),
    }),
    { description: 'The pending requests for the person, oldest first, up to 50.' },
  ),
  reviews: Type.Array(
    Component('TeamMemberReview', {
      external_uuid: Uuid,
      name: Type.String(),
      due_at: Nullable(Timestamp),
      undecided: Count,
      to_decide: { ...Count, description: 'The items among them that the caller reviews.' },
    }),
    { description: 'The open review cycles with undecided items about the access of the person.' },
  ),
});

export const teamRoutes = [
  list(
    '/api/my-team/',
    {
      tag,
      config: reading,
      summary: 'List the people who report to you',
      description: 'The direct reports of the caller: active people first, then by name.',
      query: reportFilters.query,
      item: TeamMember,
    },
    ({ call, query }, page) => listTeam(call, query, page),
  ),
  route(
    'GET',
    '/api/my-team/:report_id/',
    {
      tag,
      config: reading,
      summary: 'Get a person who reports to you',
      description: 'With their accounts, newest first, up to 200. 404 for everybody else.',
      params: { report_id: Uuid },
      reply: Component('TeamMemberDetails', {
        ...TeamMember.properties,
        accounts: Type.Array(ManagedAccount),
      }),
    },
    async ({ call, params }) => {
      const { accounts, ...member } = await teamMember(call, params.report_id);
      return { ...member, accounts: accounts.map(managedAccount) };
    },
  ),
];

import { Type } from 'typebox';
import { managedAccount } from '#inventory/records/accounts/routes/account-pages.ts';
import { ManagedAccount } from '#inventory/records/accounts/schemas.ts';
import { list, route } from '#kit/http.ts';
import { Component, Uuid } from '#kit/schemas.ts';
import { reportFilters } from '../filters.ts';
import { TeamMember } from '../member-schema.ts';
import { listTeam, teamMember } from '../team.ts';

const tag = 'My team';
/** Everybody may read the people who report to them. App-scoped keys do not read people (D7). */
const reading = { access: { scope: 'read' } } as const;

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

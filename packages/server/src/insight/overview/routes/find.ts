import { Type } from 'typebox';
import { route } from '#kit/http.ts';
import { requireAllApps } from '#kit/identity.ts';
import { Component } from '#kit/schemas.ts';
import { findRecords } from '../find.ts';
import { Found } from '../found.ts';

const Results = Component('FoundRecords', {
  results: Type.Array(Found, {
    description:
      'At most 5 of each kind: those with this name first, then those whose names begin with the text.',
  }),
});

export const findRoute = route(
  'GET',
  '/api/find/',
  {
    tag: 'Organization',
    config: {
      access: { scope: 'govern', roles: ['owner', 'admin', 'auditor', 'member'] },
      reads: 'replica',
    },
    before: ({ principal }) => requireAllApps(principal, 'searching the organization'),
    summary: 'Find records by name',
    description:
      'Finds people, accounts, apps, groups and licenses, groups of people, requests, policies and access reviews. Members find apps and the requests that concern them. Keys find accounts, groups, licenses and requests only with the scope read. Every word of the text is found, in any order: anywhere in a name from three characters on, and shorter words only where a word begins. One character finds nothing, except a request by its number.',
    query: {
      q: Type.String({
        default: '',
        maxLength: 200,
        description:
          'Words of a name or an email, or the number of a request. Case does not matter. Empty finds nothing.',
      }),
    },
    reply: Results,
  },
  async ({ call, query }) => ({ results: await findRecords(call, query.q.trim()) }),
);

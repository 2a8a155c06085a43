import { Type } from 'typebox';
import { CandidateSearch, Candidates, candidates } from '#directory/people/routes/candidate-schemas.ts';
import { Component, Uuid } from '#kit/schemas.ts';
import { searchApprovers } from '../candidates.ts';
import type { DecisionTools } from '../decide.ts';
import { reassignTicket } from '../reassign.ts';
import { tickets } from './resource.ts';
import { personalForAllApps, RequiredComment } from './schemas.ts';

const TicketReassignment = Component('TicketReassignment', {
  to: Type.Array(Uuid, { minItems: 1, maxItems: 20 }),
  reason: RequiredComment,
});

export const reassignRoutes = (tools: DecisionTools) => [
  tickets.act(
    'reassign/',
    'Reassign the current step',
    {
      description:
        'For administrators and current approvers. An administrator replaces everybody whom the step names, an approver themselves.',
      body: TicketReassignment,
    },
    ({ call, found, body }) => reassignTicket(tools, call, found.id, body),
  ),
  tickets.one.get(
    'reassign/candidates/',
    'Search people to whom the current step can be reassigned',
    {
      description: 'For administrators and current approvers.',
      config: personalForAllApps,
      query: CandidateSearch.properties,
      reply: Candidates,
    },
    async ({ call, found, query }) => candidates(await searchApprovers(call, found.id, query.q ?? '')),
  ),
];

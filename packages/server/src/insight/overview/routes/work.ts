import { Type } from 'typebox';
import { TicketItem, ticketItem } from '#decisions/requests/routes/schemas.ts';
import { ItemView, itemView } from '#decisions/reviews/cycles/item-schemas.ts';
import { CycleView, cycleView } from '#decisions/reviews/cycles/routes/cycle-schemas.ts';
import { route } from '#kit/http.ts';
import { Component, Nullable } from '#kit/schemas.ts';
import { DetailsItem, detailsItem } from '#work/fulfillment/routes/schemas.ts';
import { workOf } from '../work.ts';

const Count = Type.Integer({ minimum: 0 });

const WorkView = Component('Work', {
  approvals: Type.Object(
    { count: Count, first: Nullable(TicketItem) },
    { description: 'Requests that await your decision, with the oldest.' },
  ),
  reviews: Type.Object(
    {
      count: Count,
      items: { ...Count, description: 'Your undecided items in the first one. Up to 1,000 are counted.' },
      first: Nullable(CycleView),
      item: Nullable({ ...ItemView, description: 'Your first undecided item in the first one.' }),
      any: Type.Boolean({ description: 'Whether you see any cycles, completed ones included.' }),
    },
    { description: 'Open review cycles with undecided items for you, with the first to be due.' },
  ),
  tasks: Type.Object(
    {
      count: Count,
      first: Nullable(DetailsItem),
      others: Type.Boolean({
        description:
          'Whether you see tasks that other people carry out: as a role that reads all, or as the owner of an app.',
      }),
      any: Type.Boolean({ description: 'Whether you see any tasks, ended ones included.' }),
    },
    { description: 'Open tasks that you carry out, with the first to be due. Up to 1,000 are counted.' },
  ),
  findings: Type.Object(
    {
      count: Count,
      severe: { ...Count, description: 'Those with the severity critical or high.' },
    },
    { description: 'Open findings that you see. Up to 1,000 are counted.' },
  ),
  holds: Type.Object(
    { count: Count, any: Type.Boolean({ description: 'Whether there are holds, decided ones included.' }) },
    { description: 'Holds that await a decision. For roles that read people.' },
  ),
});

export const workRoute = route(
  'GET',
  '/api/work/',
  {
    tag: 'Organization',
    config: { access: { scope: 'session' }, reads: 'replica' },
    summary: 'Get your work',
    description:
      'Returns the requests, reviews, tasks, findings and holds that wait for you. Each has the count of its list, and the first one to decide.',
    reply: WorkView,
  },
  async ({ call }) => {
    const { approvals, reviews, tasks, findings, holds } = await workOf(call);
    return {
      approvals: { ...approvals, first: approvals.first && ticketItem(approvals.first) },
      reviews: {
        ...reviews,
        first: reviews.first && cycleView(reviews.first, call.principal),
        item: reviews.item && itemView(reviews.item, call.principal.role),
      },
      tasks: { ...tasks, first: tasks.first && detailsItem(tasks.first) },
      findings,
      holds,
    };
  },
);

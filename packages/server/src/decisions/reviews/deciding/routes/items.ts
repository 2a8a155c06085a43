import { Type } from 'typebox';
import { CandidateSearch, Candidates, candidates } from '#directory/people/routes/candidate-schemas.ts';
import { Component, Uuid } from '#kit/schemas.ts';
import { searchReviewers } from '../../cycles/candidates.ts';
import { contextOfItems } from '../../cycles/context.ts';
import { ItemContext } from '../../cycles/context-schemas.ts';
import { listItems } from '../../cycles/cycles.ts';
import { itemFilters } from '../../cycles/filters.ts';
import { ItemView, itemView } from '../../cycles/item-schemas.ts';
import { cycles, deciding } from '../../cycles/routes/resources.ts';
import { handOverItems } from '../hand-over.ts';

const UUID = '[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}';

const Items = Type.Optional(
  Type.String({
    pattern: `^${UUID}(?:,${UUID}){0,99}$`,
    description: 'The ids of up to 100 items, separated by commas. Without it, the result is empty.',
  }),
);

const HandOver = Component('ReviewReassignment', {
  items: Type.Array(Uuid, { minItems: 1, maxItems: 1000 }),
  to: Type.Array(Uuid, { minItems: 1, maxItems: 20 }),
  reason: Type.String({ minLength: 1, maxLength: 2000 }),
});

const onReplica = { ...cycles.reading, reads: 'replica' } as const;

export const itemRoutes = [
  cycles.listOf(
    'items/',
    'List items of a cycle',
    {
      config: onReplica,
      query: {
        mine: Type.Optional(Type.Boolean({ description: 'true: only items that you review.' })),
        ...itemFilters.query,
        order: Type.Optional(
          Type.Enum(['account', 'access'], {
            default: 'account',
            description:
              'account: all items of an account together. access: all items of a group or license.',
          }),
        ),
      },
      item: ItemView,
      isLong: true,
    },
    async ({ call, found, query: { mine = false, order = 'account', ...filter } }, page) => {
      const slice = await listItems(call, found.id, { mine, order, ...filter }, page);
      return { ...slice, results: slice.results.map((item) => itemView(item, call.principal.role)) };
    },
  ),
  cycles.one.get(
    'items/context/',
    'Get the context of items of a cycle',
    {
      description:
        'Returns what helps to decide items, as of now. Items that do not exist, or that a member does not review, are left out.',
      config: onReplica,
      query: { items: Items },
      reply: Component('ReviewItemContexts', { results: Type.Array(ItemContext) }),
    },
    async ({ call, found, query: { items = '' } }) => {
      const ids = items.split(',').filter(Boolean);
      return { results: await contextOfItems(call, found.id, ids) };
    },
  ),
  cycles.one.post(
    'items/reassign/',
    'Reassign undecided items of a cycle',
    {
      description:
        'Hands over all named items, or none. An administrator replaces all reviewers of an item, a reviewer themselves.',
      config: deciding,
      body: HandOver,
      reply: Component('ReviewReassignmentResult', { reassigned: Type.Integer() }),
    },
    async ({ call, found, body }) => {
      await handOverItems(call, found.id, body);
      return { reassigned: new Set(body.items.map((id) => id.toLowerCase())).size };
    },
  ),
  cycles.one.get(
    'items/reassign/candidates/',
    'Search people to whom items can be reassigned',
    {
      description: 'For administrators and people with undecided items in the cycle.',
      config: deciding,
      query: CandidateSearch.properties,
      reply: Candidates,
    },
    async ({ call, found, query }) => candidates(await searchReviewers(call, found.id, query.q ?? '')),
  ),
];

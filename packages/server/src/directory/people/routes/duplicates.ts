import { Type } from 'typebox';
import { noContent } from '#kit/http.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { type Dismissal, dismissDuplicate, listDismissals, restoreDuplicate } from '../dismissals.ts';
import { listDuplicates } from '../duplicates.ts';
import { DUPLICATE_REASONS } from '../person.ts';
import { PersonEmail } from '../reference.ts';
import { PersonView, surveying } from '../schemas.ts';
import { view } from './tools.ts';
import { people } from './users.ts';

const DuplicateView = Component('Duplicate', {
  people: Type.Array(PersonView, { description: 'The two users.' }),
  score: Type.Integer({ minimum: 0, maximum: 100 }),
  reasons: Type.Array(Type.Enum([...DUPLICATE_REASONS]), {
    description:
      'The same employee number, emails that look alike, the same name, the same part of the email before the @, or an email that passed from one to the other.',
  }),
});

const DismissalView = Component('DuplicateDismissal', {
  people: Type.Array(PersonView, { description: 'The two users.' }),
  dismissed_by: Nullable({ ...PersonEmail, description: 'Null: a deleted user.' }),
  dismissed_at: Timestamp,
});

const dismissalView = ({ people, ...dismissal }: Dismissal) => ({ people: people.map(view), ...dismissal });

export const duplicateRoutes = [
  people.all.list(
    'duplicates/',
    'List possible duplicates',
    {
      config: surveying,
      description: 'Pairs of users who may be the same person, the likeliest first, without dismissed ones.',
      item: DuplicateView,
    },
    async ({ call }, page) => {
      const { count, results } = await listDuplicates(call, page);
      return { count, results: results.map((pair) => ({ ...pair, people: pair.people.map(view) })) };
    },
  ),
  people.all.list(
    'duplicates/dismissed/',
    'List dismissed duplicates',
    {
      config: surveying,
      description: 'Pairs of users who were marked as different, the latest first.',
      item: DismissalView,
    },
    async ({ call }, page) => {
      const { count, results } = await listDismissals(call, page);
      return { count, results: results.map(dismissalView) };
    },
  ),
  people.all.post(
    'duplicates/dismissed/',
    'Dismiss a possible duplicate',
    {
      description:
        'Records that two users are different people, so that the list of possible duplicates leaves them out. A repeated dismissal changes nothing.',
      body: Component('NewDuplicateDismissal', {
        users: Type.Array(Uuid, { minItems: 2, maxItems: 2, description: 'The two users.' }),
      }),
      reply: DismissalView,
    },
    async ({ call, body }) => dismissalView(await dismissDuplicate(call, body.users)),
  ),
  people.all.delete(
    'duplicates/dismissed/:user_id/:other_id/',
    'Undo the dismissal of a possible duplicate',
    {
      description: 'Takes the two users in any order. The pair is listed again if the two still look alike.',
      params: { user_id: Uuid, other_id: Uuid },
      ...noContent,
    },
    ({ call, params: { user_id, other_id } }) => restoreDuplicate(call, [user_id, other_id]),
  ),
];

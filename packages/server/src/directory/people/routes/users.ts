import { Type } from 'typebox';
import { IfMatchHeader, resource, route, withVersion } from '#kit/http.ts';
import { callOf } from '#kit/identity.ts';
import { Component, Instant, MapOf, Uuid } from '#kit/schemas.ts';
import { peopleFilters } from '../filters.ts';
import { historyOf, personAsOf, recordOf } from '../history.ts';
import { mergePeople } from '../merge.ts';
import {
  changePerson,
  createPerson,
  deletePerson,
  listAttributes,
  listPeople,
  personOf,
  profileVersion,
} from '../people.ts';
import { PERSON_SORTS } from '../person.ts';
import { releasePerson } from '../release.ts';
import {
  ChangedPerson,
  FieldChange,
  managing,
  NewPerson,
  PersonAsOfView,
  PersonChange,
  PersonPeriodView,
  PersonView,
  Reason,
  reading,
  SuspendedAccountView,
  surveying,
  tag,
} from '../schemas.ts';
import type { ReadStillSuspended } from '../suspensions.ts';
import { fittingPart, view } from './tools.ts';

const place = { path: '/api/users/', tag, reading, managing, id: 'user_id', schema: PersonView, view };
export const people = resource({ ...place, find: personOf, version: profileVersion });
/** Deleted people keep their history. */
const recorded = resource({ ...place, find: recordOf });

const Attributes = Component('UserAttributes', {
  results: Type.Array(
    Component('UserAttribute', {
      name: Type.String(),
      values: Type.Array(Type.String(), { description: 'At most 50, the most frequent first.' }),
    }),
    { description: 'At most 100, the most frequent first.' },
  ),
});

const MergeView = Component('UserMerge', {
  dry_run: Type.Boolean(),
  into: PersonView,
  from: PersonView,
  changes: Type.Array(FieldChange, { description: 'The changes of the person who remains.' }),
  moved: MapOf(Type.Integer({ minimum: 0 }), {
    description: 'How many references move, are canceled or are revoked, by kind.',
  }),
  suspensions: Type.Array(SuspendedAccountView, {
    description:
      'The suspensions of moved accounts that were decided because the other user had left. They stay in force without `end_suspensions`.',
  }),
});

export const userRoutes = (readStillSuspended: ReadStillSuspended) => [
  people.list(
    'List users',
    {
      config: { ...reading, reads: 'replica' },
      isLong: true,
      query: {
        ...peopleFilters.query,
        sort: Type.Optional(Type.Enum([...PERSON_SORTS], { default: 'created' })),
      },
    },
    listPeople,
  ),
  people.all.get(
    'attributes/',
    'List attributes of users',
    {
      description:
        'The attributes with text values that users have, and their most frequent values, for forms that suggest them. Spellings of one attribute, such as `cost_center` and `costCenter`, are listed once, under the most frequent one. Looks at the 20,000 newest users.',
      config: surveying,
      reply: Attributes,
    },
    async ({ call }) => ({ results: await listAttributes(call) }),
  ),
  people.create('Create user', { body: NewPerson }, ({ call, body }) => createPerson(call, body)),
  route(
    'GET',
    '/api/users/:user_id/',
    {
      tag,
      config: reading,
      summary: 'Get user',
      description: 'With `as_of`, the user as they were at that time, even if they were deleted later.',
      params: { user_id: Uuid },
      query: { as_of: Type.Optional(Instant) },
      reply: withVersion(PersonAsOfView),
      before: async (request, { db }) => {
        if ('as_of' in (request.query as object))
          await recordOf(callOf(db, request), (request.params as { user_id: string }).user_id);
      },
    },
    async ({ call, params, query, reply }) => {
      if (query.as_of !== undefined) return view(await personAsOf(call, params.user_id, query.as_of));
      const person = await personOf(call, params.user_id);
      reply.header('ETag', profileVersion(person));
      return view(person);
    },
  ),
  recorded.listOf(
    'history/',
    'List the history of a user',
    {
      description:
        'The states of the user, newest first, each with the changes that led to it. Deleted users keep their history.',
      config: { ...reading, reads: 'replica' },
      item: PersonPeriodView,
    },
    async ({ call, found }, page) => {
      const { count, results } = await historyOf(call, found, page);
      return {
        count,
        results: results.map(({ person, ...period }) => ({ ...period, person: view(person) })),
      };
    },
  ),
  people.one.patch(
    '',
    'Update user',
    {
      description:
        'If an active user is deactivated, fields that cannot be changed at the same time are left as they are, and listed in `ignored`.',
      headers: IfMatchHeader,
      body: PersonChange,
      reply: withVersion(ChangedPerson),
      // The rule decides whether fields that are not valid refuse the change.
      options: { attachValidation: true },
    },
    async ({ call, found, ifMatch, request, body: given, reply }) => {
      const { body, unfit } = fittingPart({ body: given, validationError: request.validationError });
      const person = await changePerson(call, found.id, body, { ifMatch, unfit });
      reply.header('ETag', profileVersion(person));
      return view(person);
    },
  ),
  people.remove(
    'Delete user',
    {
      description:
        'Refused while API keys act for the person, or if requests, tasks, reviews or policies name them. Deactivate them instead.',
    },
    ({ call, found }) => deletePerson(call, found.id),
  ),
  people.act('deactivate/', 'Deactivate user', { body: Reason }, ({ call, found, body }) =>
    changePerson(call, found.id, { status: 'deactivated' }, { reason: body?.reason ?? null }),
  ),
  people.one.post(
    'reactivate/',
    'Reactivate user',
    {
      description:
        'Tasks that were decided because the user had left are canceled, unless a connector has fetched them. Suspended accounts stay suspended, unless a policy for users who are reactivated ends the suspension.',
      query: {
        dry_run: Type.Optional(
          Type.Boolean({
            default: false,
            description: 'Return which accounts stay suspended, and change nothing.',
          }),
        ),
      },
      body: Reason,
      reply: Component('ReactivatedUser', {
        ...PersonView.properties,
        still_suspended: Type.Array(SuspendedAccountView, {
          description: 'The suspensions that stay in force, by app and account.',
        }),
      }),
    },
    async ({ call, found, body, query: { dry_run: dryRun = false } }) => {
      const options = { reason: body?.reason ?? null, dryRun };
      const person = await changePerson(call, found.id, { status: 'active' }, options);
      return { ...view(person), still_suspended: await readStillSuspended(call, found.id) };
    },
  ),
  people.act(
    'release/',
    'Release user from SCIM',
    {
      description:
        'Makes the fields that an identity provider manages editable again. The provider manages again what it writes later.',
      config: { access: { scope: 'session', roles: ['owner'] } },
    },
    async ({ call, found }) => {
      await releasePerson(call, found.id);
      return personOf(call, found.id);
    },
  ),
  people.one.post(
    'merge/',
    'Merge another user into this one',
    {
      description:
        'Moves the accounts, open requests and reviews, reports and apps of the other user, and deactivates that user. API keys and sign-in do not move: the keys are revoked. Cannot be undone. A repeated merge returns the result of the first.',
      query: {
        dry_run: Type.Optional(
          Type.Boolean({ default: false, description: 'Return what would move, and change nothing.' }),
        ),
      },
      body: Component('NewUserMerge', {
        from: { ...Uuid, description: 'The user who is merged and deactivated.' },
        end_suspensions: Type.Optional(
          Type.Boolean({
            default: false,
            description:
              'End the suspensions that were decided because the other user had left, and unsuspend the accounts.',
          }),
        ),
      }),
      reply: MergeView,
    },
    async ({ call, found, body, query: { dry_run: dryRun = false } }) => {
      const endSuspensions = body.end_suspensions ?? false;
      const wanted = { intoId: found.id, fromId: body.from, dryRun, endSuspensions };
      const { into, from, ...result } = await mergePeople(call, wanted);
      return { ...result, into: view(into), from: view(from) };
    },
  ),
];

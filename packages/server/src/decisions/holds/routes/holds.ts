import { Type } from 'typebox';
import { PersonReference } from '#directory/people/reference.ts';
import { AppName } from '#inventory/apps/reference.ts';
import { resource } from '#kit/http.ts';
import { Component, Timestamp, Uuid } from '#kit/schemas.ts';
import { ACTIONS } from '#work/provisioning/task.ts';
import { listAffected, previewHold } from '../affected.ts';
import { holdFilters } from '../filters.ts';
import { confirmHold, discardHold, getHold, listHolds } from '../holds.ts';
import { HoldItem, holdItem } from './schemas.ts';

const holds = resource({
  path: '/api/holds/',
  tag: 'Holds',
  reading: { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] } },
  managing: { access: { scope: 'govern', roles: ['owner', 'admin'] } },
  id: 'hold_id',
  find: getHold,
  schema: HoldItem,
  view: holdItem,
});

const Count = Type.Integer({ minimum: 0 });

const HoldPerson = Component('HoldPerson', {
  user: { ...PersonReference, description: 'The texts are empty if the person was deleted.' },
  type: Type.Enum(['left', 'succeeded', 'successor'], {
    description:
      'left: was deactivated or deleted, or left the group. succeeded: lost the email to a successor. successor: has it now, and does not count.',
  }),
  status: Type.Enum(['active', 'deactivated', 'deleted']),
  at: Timestamp,
});

const HoldPreview = Component('HoldPreview', {
  tasks: Type.Array(
    Component('HoldTasks', {
      app: AppName,
      action: Type.Enum([...ACTIONS], { title: 'TaskAction' }),
      count: Count,
    }),
    { description: 'The tasks that wait, by app and action. Discarding the hold cancels them.' },
  ),
  policies: Type.Array(Component('HoldPolicy', { policy_id: Uuid, subjects: Count, tasks: Count }), {
    description:
      'The policies that decide again about people or accounts when the hold is confirmed, with the number of tasks that they would have created.',
  }),
});

export const holdRoutes = [
  holds.list('List holds', { description: 'Newest first.', query: holdFilters.query }, listHolds),
  holds.get('Get hold'),
  holds.listOf(
    'people/',
    'List the people of a hold',
    {
      description: 'The latest first. Empty for the kind app. People who are back are left out.',
      item: HoldPerson,
      isLong: true,
    },
    ({ call, found }, page) => listAffected(call, found, page),
  ),
  holds.one.get('preview/', 'Show what waits in a hold', { reply: HoldPreview }, ({ call, found }) =>
    previewHold(call, found),
  ),
  holds.act(
    'confirm/',
    'Confirm hold',
    {
      description:
        'The policies decide again about each person, and their tasks run, batch by batch. Returns 409 if the hold was decided.',
    },
    ({ call, found }) => confirmHold(call, found),
  ),
  holds.act(
    'discard/',
    'Discard hold',
    {
      description:
        'Cancels the tasks that wait. The people stay as they are. Returns 409 if the hold was decided.',
      body: Component('HoldDiscard', { reason: Type.String({ minLength: 1, maxLength: 2000 }) }),
    },
    ({ call, found, body }) => discardHold(call, found, body.reason),
  ),
];

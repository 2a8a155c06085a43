import { Type } from 'typebox';
import { resource } from '#kit/http.ts';
import { Component } from '#kit/schemas.ts';
import { listAffected, previewHold } from '../affected.ts';
import { holdFilters } from '../filters.ts';
import { WINDOW_SECONDS } from '../hold.ts';
import { confirmHold, discardHold, getHold, listHolds } from '../holds.ts';
import { HoldItem, HoldPerson, HoldPreview } from '../schemas.ts';

const holds = resource({
  path: '/api/holds/',
  tag: 'Holds',
  reading: { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] } },
  managing: { access: { scope: 'govern', roles: ['owner', 'admin'] } },
  id: 'hold_id',
  find: getHold,
  schema: HoldItem,
  view: ({ id, ...hold }) => ({ external_uuid: id, ...hold, window_seconds: WINDOW_SECONDS[hold.kind] }),
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

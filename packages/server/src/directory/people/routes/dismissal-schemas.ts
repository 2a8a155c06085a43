import { Type } from 'typebox';
import { Component, Nullable, Timestamp } from '../../../kit/http/schemas.ts';
import type { Dismissal } from '../dismissals.ts';
import { PersonEmail } from '../reference.ts';
import { PersonView } from './schemas.ts';
import { view } from './tools.ts';

export const DismissalView = Component('DuplicateDismissal', {
  people: Type.Array(PersonView, { description: 'The two users.' }),
  dismissed_by: Nullable({ ...PersonEmail, description: 'Null: a deleted user.' }),
  dismissed_at: Timestamp,
});

export const dismissalView = ({ people, ...dismissal }: Dismissal) => ({
  people: people.map(view),
  ...dismissal,
});

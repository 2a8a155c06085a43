import { type Static, Type } from 'typebox';
import { Component, Uuid } from '#kit/schemas.ts';
import { BECAUSES } from './acting.ts';

/** A person for whom an act on many does nothing, because they are behind it (D76). */
export const Excluded = Component('Excluded', {
  user: Uuid,
  because: Type.Enum([...BECAUSES], {
    description:
      'Why the person is behind the act: they act themselves (`self`), or in the last 30 days gave the one who acts a role, a sign-in link, a place as deputy or a key, removed a factor, created the person or changed their email, created or changed the provider of the session, or did so for somebody in between (`chain`).',
  }),
});
export type Excluded = Static<typeof Excluded>;

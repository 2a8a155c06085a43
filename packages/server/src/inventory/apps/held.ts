import { type Static, Type } from 'typebox';

const Count = Type.Integer({ minimum: 0 });

/** The losses of a sync that wait for an administrator's approval (D24a, D78). */
export const Held = Type.Object({
  accounts: Count,
  memberships: Count,
  reason: Type.Optional(
    Type.Enum(['no_accounts'], {
      description: 'The sync pushed no account. Missing if the losses exceed the removal guard of the app.',
    }),
  ),
});

export type Held = Static<typeof Held>;

import { type Static, Type } from 'typebox';
import { PersonEmail } from '#directory/people/reference.ts';
import { type UndecidedPeople, UndecidedView } from '#directory/people/undecided.ts';
import { AppReference } from '#inventory/apps/reference.ts';
import { Component, Nullable, Uuid } from '#kit/schemas.ts';
import { KINDS } from '../campaigns/cycle.ts';
import { DEVIATIONS } from '../cycles/deviations.ts';

/** A group whose risk is high, and how many usable members it has. */
const DelicateGroup = Component('DelicateGroup', {
  external_uuid: Uuid,
  group: Type.String(),
  app: Type.String(),
  members: Type.Integer({ description: 'The members that can be used. All of them are reviewed.' }),
});
export type DelicateGroup = Static<typeof DelicateGroup>;

/**
 * An account whose revocation needs care: without it, the connector cannot sign in, or a group has no members (D66). `groups`: those
 * whose risk is high and whose only member it is.
 */
const DelicateAccount = Component('DelicateAccount', {
  external_uuid: Uuid,
  account: Type.String(),
  app: Type.String(),
  groups: Type.Array(Type.String()),
});
export type DelicateAccount = Static<typeof DelicateAccount>;

const Delicate = (description: string) =>
  Component(
    'DelicateAccounts',
    {
      count: Type.Integer(),
      results: Type.Array(DelicateAccount, { description: 'At most 20.' }),
    },
    { description },
  );

const PossibleItem = Component('ReviewPreviewItem', {
  kind: Type.Enum([...KINDS]),
  app: AppReference,
  account: Type.String(),
  resource: Nullable(Type.String({ description: 'The name of the group or license. Null for accounts.' })),
  user: Nullable(Type.Object({ external_uuid: Uuid, email: Type.String(), name: Type.String() })),
  reviewers: Type.Array(PersonEmail, { description: 'Empty: the administrators.' }),
  deviations: Type.Array(Type.Enum([...DEVIATIONS])),
  unused_days: Nullable(
    Type.Integer({ description: 'Days since the account was last used. Null: the app does not say.' }),
  ),
});

export const Preview = Component('ReviewPreview', {
  accounts: Type.Integer({ description: 'The accounts with something to review.' }),
  items: Type.Integer(),
  people: Type.Integer({ description: 'The people of these accounts.' }),
  reviewers: Type.Integer({ description: 'The people who are named as reviewers of items.' }),
  by_administrators: Type.Integer({
    description: 'The items that the administrators decide: nobody is named.',
  }),
  with_deviations: Type.Integer({
    description:
      'The items that deviate. Comparisons with peers and with earlier reviews are made only once the cycle is open.',
  }),
  first: Type.Array(PossibleItem, {
    description: 'The first 10 items, those that deviate before the others.',
  }),
  more: Type.Boolean({ description: 'Whether there are more than 20,000 accounts. Only these are counted.' }),
  cannot_sign_in: Type.Array(PersonEmail, {
    description:
      'Reviewers who have neither a password nor a passkey, and whom no identity provider can sign in. At most 20.',
  }),
  without_reviewer: Type.Integer({
    description:
      'The items for which nobody is named, or nobody who can sign in. If no administrator decides them, `on_no_response` does.',
  }),
  own_accounts: Delicate('Accounts with which connectors sign in. They can only be kept.'),
  last_members: Delicate(
    'Accounts that are the only usable member of a group whose risk is high. Only the decision of a person removes them.',
  ),
  one_stays: Component(
    'DelicateGroups',
    {
      count: Type.Integer(),
      results: Type.Array(DelicateGroup, { description: 'At most 20.' }),
    },
    {
      description:
        'Groups whose risk is high and that could lose several members at the same time, and all they have. Without a response, one member stays.',
    },
  ),
  undecided: UndecidedView,
});
export type CampaignPreview = Omit<Static<typeof Preview>, 'undecided'> & { undecided: UndecidedPeople };
export type PossibleItem = Static<typeof PossibleItem>;

import { type Static, Type } from 'typebox';
import { AccountStatus } from '#inventory/records/accounts/account.ts';
import { Removal } from '#inventory/records/accounts/leaver-schemas.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';

const Days = Type.Integer({ minimum: 0, maximum: 3650 });
const Suspend = Type.Boolean({ description: 'Whether accounts are suspended now.' });
const DeleteAfter = Nullable({
  ...Days,
  description: 'The days until accounts are deleted. 0: now, without a suspension. null: never.',
});
const Successor = (what: string) => Type.Optional(Nullable({ ...Uuid, description: what }));

export const NewOffboarding = Component('NewOffboarding', {
  dry_run: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'Show what would happen, and change nothing. True if missing.',
    }),
  ),
  reason: Type.String({ minLength: 1, maxLength: 2000, description: 'Recorded on every change and task.' }),
  reference: Type.Optional(
    Nullable(
      Type.String({ maxLength: 200, description: 'A number in another system. It is added to the reason.' }),
    ),
  ),
  suspend: Type.Optional({ ...Suspend, default: true }),
  delete_after_days: Type.Optional({ ...DeleteAfter, default: 30 }),
  accounts: Type.Optional(
    Type.Array(
      Component('OffboardedAccountChoice', {
        account: Uuid,
        suspend: Type.Optional(Suspend),
        delete_after_days: Type.Optional(DeleteAfter),
      }),
      { maxItems: 1000, description: 'The accounts that differ from the two fields above.' },
    ),
  ),
  hand_over: Type.Optional(
    Component('OffboardingHandOver', {
      accounts: Successor('The next owner of service and shared accounts.'),
      apps: Successor('The next owner of apps, and the next approver in their settings.'),
      reports: Successor('The next manager.'),
      decisions: Successor(
        'The person who gets open approvals, review items and tasks, and is from then on a deputy, a fulfiller and a reviewer in their place.',
      ),
    }),
  ),
  revoke_keys: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'Whether API keys are revoked. Without it, they work again if the user is reactivated.',
    }),
  ),
});

const OUTCOMES = ['ordered', 'ordered_before', 'not_needed', 'not_wanted'] as const;
const step = {
  outcome: Type.Enum([...OUTCOMES], {
    title: 'OffboardingOutcome',
    description:
      'ordered: by this request. ordered_before: an open task does it. not_needed: the account is in this state.',
  }),
  task: Nullable({ ...Uuid, description: 'The task. null: none, or a dry run.' }),
};

const Account = Component('OffboardedAccount', {
  external_uuid: Uuid,
  app: Type.Object({ external_uuid: Uuid, name: Type.String() }),
  email: Type.String(),
  username: Type.String(),
  status: AccountStatus,
  groups: Type.Integer(),
  licenses: Type.Integer(),
  high_risk: Type.Array(Type.String(), {
    description: 'The names of the groups and licenses whose risk is high.',
  }),
  removals: Type.Array(Removal, { description: 'The open removals from before this request.' }),
  suspend: Component('OffboardedSuspension', step),
  delete: Component('OffboardedDeletion', {
    ...step,
    execute_after: Nullable({
      ...Timestamp,
      description: 'When the deletion that this request orders is due.',
    }),
  }),
});

const HandedOver = Component('HandedOver', {
  found: Type.Integer({ description: 'How many there are.' }),
  moved: Type.Integer({ description: 'How many the other person gets.' }),
});

export const OffboardingView = Component('Offboarding', {
  dry_run: Type.Boolean(),
  user: Uuid,
  accounts: Type.Array(Account),
  handed_over: Component('OffboardingHandedOver', {
    accounts: HandedOver,
    apps: HandedOver,
    reports: HandedOver,
    approvals: HandedOver,
    review_items: HandedOver,
    tasks: HandedOver,
    deputies: {
      ...HandedOver,
      description: 'The absences of others, not over, in which the user is the deputy.',
    } as typeof HandedOver,
    fulfillment: {
      ...HandedOver,
      description: 'The apps whose settings name the user as a fulfiller.',
    } as typeof HandedOver,
    campaigns: {
      ...HandedOver,
      description: 'The campaigns whose settings name the user as a reviewer or a fallback reviewer.',
    } as typeof HandedOver,
    entitlements: {
      ...HandedOver,
      description:
        'The groups and licenses of which apps name the user as the owner. Only the apps can change that.',
    } as typeof HandedOver,
  }),
  revoked_keys: Type.Integer(),
});

export type Wanted = Static<typeof NewOffboarding>;
export type Offboarding = Static<typeof OffboardingView>;
export type OffboardedAccount = Static<typeof Account>;

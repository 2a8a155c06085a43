import type { Static } from 'typebox';
import type { UndecidedPeople } from '#directory/people/undecided.ts';
import { nfc } from '#kit/nfc.ts';
import type { EventType } from '#log/events/catalog.ts';
import type { Moment } from '#log/events/follow.ts';
import type { Trigger } from './filters.ts';
import type { EffectKind, PolicyItem } from './schemas.ts';
import { policyRefusals } from './sentences.ts';

/**
 * A policy (protocol 15). When its trigger fires for a person or account that its condition matches, its effects become
 * tasks:
 *
 *   trigger ──> firing ──within the organization's limit──> tasks
 *                  └──above the limit, or a group that concerns its condition was renamed or deleted (D65)──> held
 *
 *   held ──confirmed──> releasing, batch by batch ──> tasks
 *     └──discarded, or the policy changed──> nothing
 */
export interface Policy
  extends PolicySpec,
    Pick<Shown, 'last_fired_at' | 'last_fired_count' | 'created_by' | 'created_at' | 'updated_at'> {
  id: string;
  /** The position in the event log after which events trigger the policy. */
  fires_after: Moment;
  /** The last day on which a policy with offset_days acted, or was enabled. */
  days_until: string;
  /** The person who enabled it last: the creator of its tasks. */
  enabled_by: string | null;
  /** The people behind what it does, who get no access by it (D76). */
  hands: string[];
}

type Shown = Static<typeof PolicyItem>;
/** The part of a policy that its author writes. */
export type PolicySpec = Pick<
  Shown,
  'name' | 'trigger' | 'offset_days' | 'condition' | 'effects' | 'delay' | 'recheck' | 'enabled'
>;

export interface PolicyView extends Policy, Pick<Shown, 'pending_confirmation'> {
  /** Those whom the condition did not decide in the last run. Null: no run has left anybody out. */
  undecided: UndecidedPeople | null;
}

/** The effects that take access away. */
export const TAKING: readonly EffectKind[] = ['revoke', 'suspend', 'delete'];

/** Slugs have the external ids of groups and licenses. A revoke without any removes all of them. */
export type Effect = Shown['effects'][number];

export const ALL_APPS = 'all';

export const concerns = ({ app }: Effect, appId: string) => app === ALL_APPS || app === appId;

export const hasEffect = (effects: readonly Effect[], appId: string, kind: EffectKind) =>
  effects.some((effect) => effect.do === kind && concerns(effect, appId));

/** The fields that conditions can use. */
export const VARIABLES = ['user', 'account', 'app', 'today'] as const;

/** The field of a person with the day of a trigger. */
export const DAY_OF: { readonly [trigger in Trigger]?: 'start_date' | 'end_date' } = {
  'user.starts': 'start_date',
  'user.ends': 'end_date',
};

/** The events that can fire each trigger. detect.ts narrows them further. */
export const EVENTS_OF: Record<Trigger, readonly EventType[]> = {
  'user.created': ['user.created'],
  'user.updated': ['user.updated', 'user.identity_type.changed'],
  'user.starts': ['user.created', 'user.updated'],
  'user.ends': ['user.created', 'user.updated'],
  'user.deactivated': ['user.deactivated'],
  'user.reactivated': ['user.reactivated'],
  'user.on_leave': ['absence.leave_started'],
  'user.back': ['absence.leave_ended'],
  'account.discovered': ['account.provisioned', 'account.suspended'],
  daily: [],
};

/** The effects that can name groups and licenses. */
const NAMING: readonly EffectKind[] = ['grant', 'revoke'];

/** Effects that undo each other. */
export const OPPOSITES: readonly (readonly [EffectKind, EffectKind])[] = [
  ['suspend', 'unsuspend'],
  ['grant', 'delete'],
  ['unsuspend', 'delete'],
];

/** Throws 400 for effects that contradict each other (D77) or name entitlements where they cannot. */
export function requireConsistent(effects: readonly Effect[]): void {
  for (const [i, { do: kind, app, memberships, assignments }] of effects.entries()) {
    const names = Object.keys(memberships).length + Object.keys(assignments).length > 0;
    if (names && !NAMING.includes(kind)) throw policyRefusals.effect_takes_no_access({ i });
    if (names && app === ALL_APPS) throw policyRefusals.effect_needs_one_app({ i });
  }
  for (const [i, one] of effects.entries())
    for (const [j, other] of effects.entries())
      if (sharesApp(one.app, other.app)) requireAgreement([i, one], [j, other]);
}

function requireAgreement([i, one]: [number, Effect], [j, other]: [number, Effect]): void {
  if (OPPOSITES.some(([first, second]) => one.do === first && other.do === second))
    throw policyRefusals.effects_contradict({ i, one: one.do, j, other: other.do });
  const name = one.do === 'grant' && other.do === 'revoke' ? grantedAndRevoked(one, other) : undefined;
  if (name !== undefined) throw policyRefusals.effects_grant_and_revoke({ i, j, name });
}

/** Returns the first group or license that one effect grants and the other revokes. A revoke that names none revokes all. */
export function grantedAndRevoked(grant: Effect, revoke: Effect): string | undefined {
  const [granted, revoked] = [namesOf(grant), namesOf(revoke)];
  return revoked.length === 0 ? granted[0] : granted.find((name) => revoked.includes(name));
}

/** The groups and licenses of an effect, as `<slug>/<id>`. */
const namesOf = ({ memberships, assignments }: Effect) =>
  Object.entries({ ...memberships, ...assignments }).flatMap(([slug, ids]) =>
    ids.map((id) => nfc(`${slug}/${id}`)),
  );

const sharesApp = (a: string, b: string) => a === b || a === ALL_APPS || b === ALL_APPS;

import type { Static } from 'typebox';
import type { UndecidedPeople } from '#directory/people/undecided.ts';
import type { ContractType } from '#log/events/catalog.ts';
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
  /** The person who enabled it last: the creator of its tasks. */
  enabled_by: string | null;
}

type Shown = Static<typeof PolicyItem>;
/** The part of a policy that its author writes. */
export type PolicySpec = Pick<
  Shown,
  'name' | 'trigger' | 'condition' | 'effects' | 'delay' | 'recheck' | 'enabled'
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

/** The events that can fire each trigger. detect.ts narrows account.discovered further. */
export const EVENTS_OF: Record<Trigger, readonly ContractType[]> = {
  'user.created': ['user.created'],
  'user.updated': ['user.updated', 'user.identity_type.changed'],
  'user.deactivated': ['user.deactivated'],
  'user.reactivated': ['user.reactivated'],
  'account.discovered': ['account.provisioned', 'account.suspended'],
  daily: [],
};

/** The effects that can name groups and licenses. */
const NAMING: readonly EffectKind[] = ['grant', 'revoke'];

/** Throws 400 for effects that contradict each other or name entitlements where they cannot. */
export function requireConsistent(effects: readonly Effect[]): void {
  for (const [i, { do: kind, app, memberships, assignments }] of effects.entries()) {
    const names = Object.keys(memberships).length + Object.keys(assignments).length > 0;
    if (names && !NAMING.includes(kind)) throw policyRefusals.effect_takes_no_access({ i });
    if (names && app === ALL_APPS) throw policyRefusals.effect_needs_one_app({ i });
  }
  for (const [one, other] of [
    ['suspend', 'unsuspend'],
    ['grant', 'delete'],
  ] as const) {
    const meet = effects.some(
      (a) => a.do === one && effects.some((b) => b.do === other && sharesApp(a.app, b.app)),
    );
    if (meet) throw policyRefusals.effects_contradict({ one, other });
  }
}

const sharesApp = (a: string, b: string) => a === b || a === ALL_APPS || b === ALL_APPS;

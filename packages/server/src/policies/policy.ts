import type { EventType } from '../events/catalog.ts';
import type { Moment } from '../events/follow.ts';
import { invalid } from '../platform/errors.ts';

/**
 * A policy (governance.md "Policies"): when its trigger fires for somebody whom its condition fits, its effects
 * become tasks. What happens between the two:
 *
 *   trigger ──> firing ──at most the organization's limit──> tasks
 *                  └──more──> held ──confirm──> released, page by page ──> tasks
 *                               └──discard, or the policy changes──> nothing
 */
export interface Policy extends PolicySpec {
  id: string;
  /** It acts on what the log holds behind this place. */
  fires_after: Moment;
  last_fired_at: Date | null;
  last_fired_count: number | null;
  created_by: string | null;
  created_at: Date;
  updated_at: Date;
}

/** What its author says. */
export interface PolicySpec {
  name: string;
  trigger: Trigger;
  condition: string;
  effects: Effect[];
  /** ISO 8601; null: at once. */
  delay: string | null;
  enabled: boolean;
}

export const TRIGGERS = [
  'user.created',
  'user.updated',
  'user.deactivated',
  'user.reactivated',
  'account.discovered',
  'daily',
] as const;
export type Trigger = (typeof TRIGGERS)[number];

export const EFFECTS = ['grant', 'revoke', 'suspend', 'unsuspend', 'delete'] as const;
export type EffectKind = (typeof EFFECTS)[number];

export interface Effect {
  do: EffectKind;
  /** One app; or each in which the person has an account, and for a grant each that there is. */
  app: string;
  /** Slug to external ids. A revoke that names none takes all. */
  memberships: Record<string, string[]>;
  assignments: Record<string, string[]>;
}

export const ALL_APPS = 'all';

/** What conditions may speak of. */
export const VARIABLES = ['user', 'account', 'app', 'today'] as const;

/** The events that may fire each trigger; `daily` has none. account.discovered: see isDiscovery in fire.ts. */
export const EVENTS_OF: Record<Trigger, readonly EventType[]> = {
  'user.created': ['user.created'],
  'user.updated': ['user.updated', 'user.identity_type.changed'],
  'user.deactivated': ['user.deactivated'],
  'user.reactivated': ['user.reactivated'],
  'account.discovered': ['account.provisioned', 'account.suspended'],
  daily: [],
};

const DURATION =
  /^P(?=\d|T\d)(?:\d{1,4}Y)?(?:\d{1,5}M)?(?:\d{1,5}W)?(?:\d{1,6}D)?(?:T(?=\d)(?:\d{1,7}H)?(?:\d{1,8}M)?(?:\d{1,9}(?:\.\d{1,6})?S)?)?$/;

/** Throws 400 for what is not an ISO 8601 duration, sign and negative parts included. */
export function requireDuration(text: string): string {
  if (!DURATION.test(text))
    throw invalid('delay should be an ISO 8601 duration such as P30D, P1M or PT12H (delay).');
  return text;
}

/** Named groups and licenses go with these only. */
const NAMING: readonly EffectKind[] = ['grant', 'revoke'];

/** Throws 400 where the effects cannot be meant: what a schema cannot say. */
export function requireSense(effects: readonly Effect[]): void {
  for (const [i, { do: kind, app, memberships, assignments }] of effects.entries()) {
    const names = Object.keys(memberships).length + Object.keys(assignments).length > 0;
    if (names && !NAMING.includes(kind))
      throw invalid(`memberships and assignments go with grant and revoke (effects[${i}]).`);
    if (names && app === ALL_APPS)
      throw invalid(`memberships and assignments need one app, not "all" (effects[${i}]).`);
  }
  for (const [one, other] of [
    ['suspend', 'unsuspend'],
    ['grant', 'delete'],
  ] as const) {
    const meet = effects.some(
      (a) => a.do === one && effects.some((b) => b.do === other && sharesApp(a.app, b.app)),
    );
    if (meet) throw invalid(`${one} and ${other} of the same app contradict each other (effects).`);
  }
}

const sharesApp = (a: string, b: string) => a === b || a === ALL_APPS || b === ALL_APPS;

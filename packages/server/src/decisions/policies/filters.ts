import { Type } from 'typebox';
import { filter, filters, sql, type ValuesOf } from '#kit/sql.ts';

export const TRIGGERS = [
  'user.created',
  'user.updated',
  'user.starts',
  'user.ends',
  'user.deactivated',
  'user.reactivated',
  'user.on_leave',
  'user.back',
  'account.discovered',
  'daily',
] as const;
export const Trigger = Type.Enum([...TRIGGERS], { title: 'PolicyTrigger' });
export type Trigger = (typeof TRIGGERS)[number];

/** The filters of the list of policies. */
export const policyFilters = filters({
  trigger: filter(Trigger, (trigger) => sql`p.trigger = ${trigger}`),
  enabled: filter(Type.Boolean(), (isEnabled) => sql`p.enabled = ${isEnabled}`),
});

export type PolicyFilter = ValuesOf<typeof policyFilters>;

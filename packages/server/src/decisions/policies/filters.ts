import { Type } from 'typebox';
import { filter, filters, sql, type ValuesOf } from '#kit/sql.ts';
import { TRIGGERS } from './policy.ts';

export const Trigger = Type.Enum([...TRIGGERS], { title: 'PolicyTrigger' });

/** The filters of the list of policies. */
export const policyFilters = filters({
  trigger: filter(Trigger, (trigger) => sql`p.trigger = ${trigger}`),
  enabled: filter(Type.Boolean(), (isEnabled) => sql`p.enabled = ${isEnabled}`),
});

export type PolicyFilter = ValuesOf<typeof policyFilters>;

import { Type } from 'typebox';
import { Component } from '#kit/schemas.ts';
import type { Action } from './task.ts';

/** The effects of the tasks of a plan. A deleted account also loses its memberships, which are not counted. */
export interface PlanCounts {
  tasks: number;
  accounts: { created: number; suspended: number; unsuspended: number; removed: number };
  memberships: { added: number; removed: number };
}

const Count = Type.Integer();
export const PlanCounts = Component(
  'PlanCounts',
  {
    tasks: Count,
    accounts: Type.Object({ created: Count, suspended: Count, unsuspended: Count, removed: Count }),
    memberships: Type.Object({ added: Count, removed: Count }),
  },
  {
    description:
      'Memberships of groups and assignments of licenses. Those of removed accounts are not counted.',
  },
);

export const emptyCounts = (): PlanCounts => ({
  tasks: 0,
  accounts: { created: 0, suspended: 0, unsuspended: 0, removed: 0 },
  memberships: { added: 0, removed: 0 },
});

const EFFECT: Partial<Record<Action, keyof PlanCounts['accounts']>> = {
  create_account: 'created',
  suspend_account: 'suspended',
  unsuspend_account: 'unsuspended',
  delete_account: 'removed',
};

/** Adds `times` tasks, which together add and remove this many memberships, to `counts`. */
export function addToCounts(
  counts: PlanCounts,
  action: Action,
  times: number,
  { added, removed }: PlanCounts['memberships'],
): void {
  counts.tasks += times;
  counts.memberships.added += added;
  counts.memberships.removed += removed;
  const effect = EFFECT[action];
  if (effect !== undefined) counts.accounts[effect] += times;
}

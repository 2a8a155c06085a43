import { Type } from 'typebox';
import { belowApp } from '#inventory/apps/routes/below-app.ts';
import { Component, Nullable, Uuid } from '#kit/schemas.ts';
import { confirmHeld, listHeld, rejectHeld } from '../held.ts';
import { PlanCounts } from '../plan-counts.ts';
import { TaskItem, taskItem } from './schemas.ts';

/** A decision about a whole app's losses: app-scoped keys are refused. */
const app = belowApp({
  tag: 'Tasks',
  reading: { access: { scope: 'read', roles: ['owner', 'admin', 'auditor'] } },
  managing: { access: { scope: 'govern', roles: ['owner', 'admin'] } },
});

const Count = Type.Integer();

const HeldTasks = Component('HeldTasks', {
  counts: PlanCounts,
  budget: Component(
    'RemovalBudget',
    {
      percent: Nullable(Type.Number()),
      at_least: Nullable(Count),
      used: Type.Object({ accounts: Count, memberships: Count }),
    },
    { description: "The app's removal guard, and what the app has lost in the last 24 hours." },
  ),
});

const Tasks = Type.Optional(
  Nullable(
    Component('HeldTaskSelection', {
      tasks: Type.Optional(
        Nullable(Type.Array(Uuid, { minItems: 1, maxItems: 1000, description: 'Only these. Default: all.' })),
      ),
    }),
  ),
);

const Decided = Component('HeldTaskCount', { count: Type.Integer({ description: 'The number of tasks.' }) });

const DECISIONS = [
  [
    'confirm',
    confirmHeld,
    'Confirm held tasks',
    'The tasks run as soon as it is their turn. Those that give the caller access stay held.',
  ],
  ['reject', rejectHeld, 'Reject held tasks', 'Cancels the tasks.'],
] as const;

/** D46. */
export const heldTaskRoutes = [
  app.list(
    'held-tasks/',
    'List held tasks',
    {
      description:
        'Tasks that would take away more than the app may lose in 24 hours, and those that give access to somebody behind the decision. They wait until an administrator confirms them.',
      isLong: true,
      item: TaskItem,
      beside: HeldTasks,
    },
    async ({ call, found }, page) => {
      const { results, used, ...rest } = await listHeld(call, found, page);
      const guard = found.removal_guard ?? { percent: null, at_least: null };
      const budget = { ...guard, used: { accounts: used.accounts, memberships: used.memberships } };
      return { ...rest, results: results.map(taskItem), budget };
    },
  ),
  ...DECISIONS.map(([verb, decide, summary, description]) =>
    app.post(
      `held-tasks/${verb}/`,
      summary,
      {
        description: `${description} Returns 409 if none of them is held.`,
        body: Tasks,
        reply: Decided,
      },
      async ({ call, found, body }) => ({ count: await decide(call, found, body?.tasks ?? null) }),
    ),
  ),
];

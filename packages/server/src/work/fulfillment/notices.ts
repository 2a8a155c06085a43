import type { OrgDb } from '#kit/database.ts';
import { type Draft, date, named, type Recipient } from '#log/notices/draft.ts';
import {
  administrators,
  type Check,
  type Details,
  type DraftPage,
  FIRST_ID,
  type Handler,
  type Notices,
  PAGE,
  pages,
  toAll,
} from '#log/notices/notices.ts';
import { assigneesOf, openAssignments, reminders, tasksVisibleTo } from './facts.ts';

/** The page of a task that a person carries out. */
const fulfillmentPage = (taskId: string) => ({
  path: `/tasks/${taskId}`,
  about: { type: 'task' as const, id: taskId },
});

/** The assignee or, without one, the administrators. */
const assigneeOrAdministrators = (db: OrgDb, assignee: unknown): Promise<Recipient[]> =>
  typeof assignee === 'string' ? Promise.resolve(toAll([assignee])) : administrators(db);

/** "delete account for ada@example.com in Payroll" */
const workIn = ({ action, email, app }: { action: string; email: string; app: string }) =>
  `${action.replaceAll('_', ' ')} for ${email} in ${app}`;

const taskAssigned: Handler = async ({ org, event, text }): Promise<Draft[]> => {
  const { assignee_id: assignee, due_at: dueAt } = event.payload;
  return [
    {
      kind: 'fulfillment_assigned',
      key: `fulfillment_assigned:${event.id}`,
      to: await assigneeOrAdministrators(org, assignee),
      title: `To do: ${workIn({ action: text('action'), email: text('email'), app: text('app_name') })}`,
      body:
        typeof assignee === 'string'
          ? `Open the task for instructions. It is due on ${date(new Date(String(dueAt)))}.`
          : 'Nobody can carry out this task. Reassign it, or add fulfillers to the app.',
      appId: text('app_id'),
      ...fulfillmentPage(text('task_id')),
    },
  ];
};

const taskReassigned: Handler = async ({ org, event, text }): Promise<Draft[]> => {
  const { to } = event.payload;
  const recipients = await assigneeOrAdministrators(org, to);
  const reason = text('reason') === '' ? REASONS[text('cause')] : `Reason: ${text('reason')}`;
  return [
    {
      kind: 'fulfillment_reassigned',
      key: `fulfillment_reassigned:${event.id}`,
      // A person who took the task over knows it.
      to: recipients.filter(({ userId }) => userId !== event.actor.uuid),
      title: `Handed over: ${workIn({ action: text('action'), email: text('email'), app: text('app_name') })}`,
      body:
        typeof to === 'string'
          ? `The task is now assigned to you. ${reason ?? ''}`.trim()
          : 'Nobody can carry out this task. Reassign it, or add fulfillers to the app.',
      ...fulfillmentPage(text('task_id')),
    },
  ];
};

const REASONS: Record<string, string> = {
  unavailable: 'Its previous assignee is not available.',
  overdue: 'It is overdue.',
};

const TASK_REMINDER_DAYS = 3;

/** Reminds the assignees of tasks that people carry out. */
async function fulfillmentReminders(db: OrgDb, after: string): Promise<DraftPage<string>> {
  const found = await reminders(db, after, PAGE);
  if (found.length === 0) return { drafts: [], next: undefined };
  const everyAdministrator = await administrators(db);
  const drafts = found.map(
    ({ task_id, app_id, app_name, email, action, assignee_id, due_at, ...rest }): Draft => {
      const work = workIn({ action, email, app: app_name });
      const to = assignee_id === null ? everyAdministrator : toAll([assignee_id]);
      const page = fulfillmentPage(task_id);
      if (!rest.is_over)
        return {
          kind: 'fulfillment_due' as const,
          key: `fulfillment-due:${task_id}:${due_at.toISOString()}`,
          to,
          title: `Due soon: ${work}`,
          body: `It is due on ${date(due_at)}.`,
          ...page,
        };
      const all = rest.escalated ? [...to, ...everyAdministrator] : to;
      return {
        kind: 'fulfillment_overdue' as const,
        key: `fulfillment-overdue:${task_id}:${due_at.toISOString()}:${Math.floor(rest.days_over / TASK_REMINDER_DAYS)}`,
        to: toAll(all.map(({ userId }) => userId)),
        title: `Overdue: ${work}`,
        body: `It was due on ${date(due_at)}. Carry it out, refuse it or reassign it.`,
        appId: app_id,
        ...page,
      };
    },
  );
  return { drafts, next: found.length < PAGE ? undefined : found.at(-1)?.task_id };
}

/** A task without an assignee waits for the administrators, and one that was escalated as well. */
const toFulfill: Check = async (db, { id, role }, tasks) => {
  const administers = role === 'owner' || role === 'admin';
  return (await openAssignments(db, tasks))
    .filter(
      ({ assignee_id, escalated_at }) =>
        assignee_id === id || (administers && (assignee_id === null || escalated_at !== null)),
    )
    .map(({ task_id }) => task_id);
};

const assignees: Details = async (db, ids) => {
  const assigned = await assigneesOf(db, ids);
  return new Map(
    assigned.map(({ task_id, email, ...name }) => {
      const text = email === null ? 'Nobody' : named({ ...name, email });
      return [task_id, [{ label: 'Assigned to', text }]];
    }),
  );
};

export const fulfillmentNotices: Notices = {
  handlers: { 'fulfillment.assigned': taskAssigned, 'fulfillment.reassigned': taskReassigned },
  due: () => pages(FIRST_ID, fulfillmentReminders),
  waits: {
    fulfillment_assigned: toFulfill,
    fulfillment_reassigned: toFulfill,
    fulfillment_due: toFulfill,
    fulfillment_overdue: toFulfill,
  },
  details: { fulfillment_assigned: assignees, fulfillment_overdue: assignees },
  visible: { task: tasksVisibleTo },
};

import { type OrgDb, within } from '../../../kit/database/organization.ts';
import { type Draft, date, type Recipient } from '../draft.ts';
import { administrators, toAll } from '../recipients.ts';
import type { Handler } from './handler.ts';

/** The page of a task that a person carries out. */
export const fulfillmentPage = (taskId: string) => ({
  path: `/my-tasks/${taskId}`,
  about: { type: 'task' as const, id: taskId },
});

/** The assignee or, without one, the administrators. */
const assigneeOrAdministrators = (db: OrgDb, assignee: unknown): Promise<Recipient[]> =>
  typeof assignee === 'string' ? Promise.resolve(toAll([assignee])) : administrators(db);

/** "delete account for ada@example.com in Payroll" */
export const workIn = ({ action, email, app }: { action: string; email: string; app: string }) =>
  `${action.replaceAll('_', ' ')} for ${email} in ${app}`;

export const taskAssigned: Handler = async ({ db, orgId, event, text }): Promise<Draft[]> => {
  const { assignee_id: assignee, due_at: dueAt } = event.payload;
  return [
    {
      kind: 'fulfillment_assigned',
      key: `fulfillment_assigned:${event.id}`,
      to: await assigneeOrAdministrators(within(db, orgId), assignee),
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

export const taskReassigned: Handler = async ({ db, orgId, event, text }): Promise<Draft[]> => {
  const { to } = event.payload;
  const recipients = await assigneeOrAdministrators(within(db, orgId), to);
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

import type { Cause, RequestCause } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import { taskPayload } from '#work/provisioning/events.ts';
import type { Task } from '#work/provisioning/task.ts';

const about = (task: Task, { actor, source }: Cause) => ({
  actor,
  subject: { type: 'task' as const, uuid: task.id },
  source,
});

export const assigned = (task: Task, assignee: string | null, dueAt: Date, cause: Cause): NewEvent => ({
  type: 'fulfillment.assigned',
  ...about(task, cause),
  payload: { ...taskPayload(task), assignee_id: assignee, due_at: dueAt },
});

export const reassigned = (
  task: Task,
  change: {
    from: string | null;
    to: string | null;
    cause: 'person' | 'unavailable' | 'overdue';
    reason: string | null;
  },
  cause: Cause,
): NewEvent => ({
  type: 'fulfillment.reassigned',
  ...about(task, cause),
  payload: { ...taskPayload(task), ...change },
});

export const attachmentAdded = (
  task: Task,
  { id, name, size, sha256 }: { id: string; name: string; size: number; sha256: string },
  { actor, source }: RequestCause,
): NewEvent => ({
  type: 'fulfillment.attachment_added',
  actor,
  subject: { type: 'task', uuid: task.id },
  source,
  payload: { ...taskPayload(task), attachment_id: id, name, size, sha256 },
});

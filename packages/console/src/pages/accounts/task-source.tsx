import type { Item } from '../../api/client.ts';
import { TaskLink } from '../../events/event-links.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { personName } from '../../kit/text/words.ts';
import { typeWord } from '../tasks/task.ts';

type Task = Item<'/api/tasks/'>;

/** A link to the request or policy that created a task, or else to the task itself. */
export function TaskSource({ task: { external_uuid, source, reason, creator, task_type } }: { task: Task }) {
  const kind = typeWord(task_type);
  if (source?.type === 'ticket') {
    return (
      <TextLink to="/requests/$ticketId" params={{ ticketId: source.id }}>
        {reason ?? kind}
      </TextLink>
    );
  }
  if (source?.type === 'policy') {
    return (
      <TextLink to="/policies/$policyId" params={{ policyId: source.id }}>
        {reason ?? kind}
      </TextLink>
    );
  }
  const label = creator === null ? kind : `${kind}, ${personName(creator)}`;
  return <TaskLink id={external_uuid}>{reason === null ? label : `${label}: ${reason}`}</TaskLink>;
}

import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { get, type Item } from '../api/client.ts';
import { useMe } from '../api/me.ts';
import { TextLink } from '../kit/controls/links.tsx';
import { Moment } from '../kit/controls/moment.tsx';
import classes from './why.module.css';

type Task = Item<'/api/tasks/'>;

interface Props {
  account: string;
  /** The group or license. null: the account itself. */
  held: { slug: string; id: string } | null;
}

/** Links to the open tasks that take an access away, for roles that read all tasks. */
export function EndingTasks({ account, held }: Props) {
  const { readsAll } = useMe();
  const { data } = useQuery({ ...get('/api/tasks/', { query: { account, limit: 200 } }), enabled: readsAll });
  const takes = ({ action, changes }: Task) =>
    action === 'delete_account' ||
    (held !== null && changes[held.slug]?.removed.some(({ id }) => id === held.id) === true);
  return (data?.results ?? [])
    .filter((task) => (task.status === 'scheduled' || task.status === 'pending') && takes(task))
    .map(({ external_uuid: taskId, action, execute_after }) => (
      <p key={taskId} className={classes.small}>
        <TextLink to="/tasks/$taskId" params={{ taskId }} inherit>
          {action === 'delete_account' ? t`Open task that deletes the account` : t`Open task that removes it`}
        </TextLink>
        {', '}
        <Moment at={execute_after} />
      </p>
    ));
}

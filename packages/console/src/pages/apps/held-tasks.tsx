import { plural, t } from '@lingui/core/macro';
import { Plural } from '@lingui/react/macro';
import { Alert, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { heldReasons, heldTasks } from '../../holds/held-tasks.ts';
import { ActionButton } from '../../kit/action/action-button.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { IconPlayerPause } from '../../kit/icons/icons.ts';
import { listed } from '../../kit/text/listed.ts';
import { grouped } from '../../kit/text/words.ts';
import type { App } from './app.ts';
import classes from './apps.module.css';

const SHOWN = 5;

/** The tasks that exceed the app's daily budget (D46), or give somebody access who is behind the decision (D76), and wait for an administrator. */
export function HeldTasks({ app }: { app: App }) {
  const { manages, readsAll } = useMe();
  const params = { path: { app_id: app.external_uuid } };
  const held = useQuery({ ...heldTasks(app.external_uuid), enabled: readsAll });
  if (held.data === undefined || held.data.count === 0) return null;
  const { count, counts, results } = held.data;
  const all = [
    {
      count: counts.accounts.removed,
      words: (n: number) => plural(n, { one: 'remove # account', other: 'remove # accounts' }),
    },
    {
      count: counts.accounts.suspended,
      words: (n: number) => plural(n, { one: 'suspend # account', other: 'suspend # accounts' }),
    },
    {
      count: counts.memberships.removed,
      words: (n: number) => plural(n, { one: 'remove # membership', other: 'remove # memberships' }),
    },
  ];
  // For example "remove 2 accounts and suspend 1 account".
  const losses = listed(all.flatMap(({ count: n, words }) => (n > 0 ? [words(n)] : [])));
  const shown = results.slice(0, SHOWN);
  const hidden = count - shown.length;
  return (
    <Alert
      color="yellow"
      icon={<IconPlayerPause aria-hidden />}
      title={
        losses === ''
          ? plural(count, { one: '# task waits to be confirmed', other: '# tasks wait to be confirmed' })
          : plural(count, { one: `# task would ${losses}`, other: `# tasks would ${losses}` })
      }
      mb="md"
    >
      {heldReasons(held.data).map((reason) => (
        <div key={reason}>{reason}</div>
      ))}
      <ul className={classes.heldTasks}>
        {shown.map((task) => (
          <li key={task.external_uuid}>
            <TextLink to="/tasks/$taskId" params={{ taskId: task.external_uuid }}>
              {task.app_user.email || t`An account without an email`}
            </TextLink>
          </li>
        ))}
        {hidden > 0 && (
          <li>
            <Plural value={hidden} one="# more" other="# more" />
          </li>
        )}
      </ul>
      {manages && (
        <Group gap="xs" mt="sm">
          <ActionButton
            variant="default"
            label={t`Reject tasks`}
            of={{
              title: t`Cancel the tasks?`,
              sentence: t`The tasks are canceled, and access does not change. The rejection is recorded with your name.`,
              button: t`Reject tasks`,
              request: () => ok(api.POST('/api/apps/{app_id}/held-tasks/reject/', { params, body: {} })),
              message: t`Tasks rejected`,
            }}
          />
          <ActionButton
            label={t`Confirm tasks`}
            of={{
              title: plural(count, { one: 'Run # task?', other: 'Run # tasks?' }),
              sentence:
                losses === ''
                  ? t`They give access. Tasks that would give you access stay held. Gatehouse checks first whether each task is still needed.`
                  : t`They would ${losses}. Gatehouse checks first whether each task is still needed.`,
              button: t`Confirm tasks`,
              type: grouped(count),
              request: () => ok(api.POST('/api/apps/{app_id}/held-tasks/confirm/', { params, body: {} })),
              message: t`Tasks confirmed`,
            }}
          />
        </Group>
      )}
    </Alert>
  );
}

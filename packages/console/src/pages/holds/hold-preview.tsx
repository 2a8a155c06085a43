import { plural, t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Answer, get } from '../../api/client.ts';
import type { Hold } from '../../holds/hold.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import { Pending } from '../../kit/controls/pending.tsx';
import { Unready } from '../../kit/controls/unready.tsx';
import * as column from '../../kit/table/columns.tsx';
import { type Column, TableView } from '../../kit/table/table-view.tsx';
import { Name } from '../../kit/text/name.tsx';
import { actionWord } from '../tasks/task.ts';

type Preview = Answer<'/api/holds/{hold_id}/preview/'>;

/** Reads what waits in a hold. */
export const usePreview = ({ external_uuid }: Hold) =>
  useQuery(get('/api/holds/{hold_id}/preview/', { path: { hold_id: external_uuid } }));

type WaitingTask = Preview['tasks'][number];
type HeldBack = Preview['policies'][number];

const taskColumns: Column<WaitingTask>[] = [
  column.cell('app', t`App`, ({ app }) => (
    <TextLink to="/apps/$appId" params={{ appId: app.id }}>
      <Name of={app.name} />
    </TextLink>
  )),
  column.code('action', t`Task`, actionWord),
  column.count('count', t`Tasks`),
];

const policyColumns: Column<HeldBack>[] = [
  column.cell('policy', t`Policy`, ({ policy_id }) => <PolicyName id={policy_id} />),
  column.count('subjects', t`Decides again about`),
  column.count('tasks', t`Tasks held back`),
];

function PolicyName({ id }: { id: string }) {
  const policy = useQuery(get('/api/policies/{policy_id}/', { path: { policy_id: id } }));
  if (policy.data === undefined) return policy.isError ? <span>{t`Deleted policy`}</span> : <Pending />;
  return (
    <TextLink to="/policies/$policyId" params={{ policyId: id }}>
      <Name of={policy.data.name} />
    </TextLink>
  );
}

/** Lists the tasks that wait in a hold, and the policies that decide again. */
export function Waiting({ hold }: { hold: Hold }) {
  const preview = usePreview(hold);
  if (preview.data === undefined) return <Unready of={preview} height={120} />;
  const { tasks, policies } = preview.data;
  if (tasks.length + policies.length === 0)
    return <Text size="sm">{t`Nothing waits. No policy takes access away because of this change.`}</Text>;
  return (
    <>
      {tasks.length > 0 && (
        <TableView
          label={t`Tasks that wait, by app`}
          columns={taskColumns}
          rows={tasks}
          rowId={({ app, action }) => `${app.id} ${action}`}
          empty={null}
        />
      )}
      {policies.length > 0 && (
        <>
          <Text size="sm" my="xs">
            {t`These policies have not created their tasks. They decide again about each person when the hold is confirmed.`}
          </Text>
          <TableView
            label={t`Policies that decide again`}
            columns={policyColumns}
            rows={policies}
            rowId={({ policy_id }) => policy_id}
            empty={null}
          />
        </>
      )}
    </>
  );
}

/** "12 tasks in 2 apps start, and 1 policy decides again." */
export function previewWords({ tasks, policies }: Preview): string {
  const count = tasks.reduce((sum, one) => sum + one.count, 0);
  const apps = new Set(tasks.map(({ app }) => app.id)).size;
  const inApps = plural(apps, { one: '# app', other: '# apps' });
  const sentences = [
    count > 0 &&
      plural(count, {
        one: `# task in ${inApps} continues, if its policy still calls for it.`,
        other: `# tasks in ${inApps} continue, if their policies still call for them.`,
      }),
    policies.length > 0 &&
      plural(policies.length, {
        one: '# policy decides again about each person.',
        other: '# policies decide again about each person.',
      }),
  ].filter((sentence) => sentence !== false);
  return sentences.length === 0 ? t`Nothing waits.` : sentences.join(' ');
}

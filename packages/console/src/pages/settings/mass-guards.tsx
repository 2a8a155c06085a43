import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, NumberInput, Stack, Switch, Text } from '@mantine/core';
import '@mantine/core/styles/NumberInput.css';
import '@mantine/core/styles/Switch.css';
import { type Answer, api, load, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { ifMatch } from '../../api/version.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import { editsFrom } from '../../kit/form/edits.ts';
import { useApiForm } from '../../kit/form/form.ts';
import { Save } from '../../kit/form/save.tsx';

type Organization = Answer<'/api/organization/'>;
type Guard = Organization['people_guard'];

interface Limit {
  enabled: boolean;
  percent: number | string;
  at_least: number | string;
}

interface Values {
  people_guard: Limit;
  group_guard: Limit;
}

/** The limits that a guard has after it was off. */
const USUAL = { people_guard: { percent: 10, at_least: 5 }, group_guard: { percent: 50, at_least: 5 } };

const limitOf = (guard: Guard, usual: NonNullable<Guard>): Limit => ({
  enabled: guard !== null,
  ...(guard ?? usual),
});

export const guardsOf = ({ people_guard, group_guard }: Organization): Values => ({
  people_guard: limitOf(people_guard, USUAL.people_guard),
  group_guard: limitOf(group_guard, USUAL.group_guard),
});

const guardIn = ({ enabled, percent, at_least }: Limit): Guard =>
  enabled ? { percent: Number(percent), at_least: Number(at_least) } : null;

function words(limit: Limit): string {
  const guard = guardIn(limit);
  if (guard === null) return t`Off`;
  const { percent, at_least } = guard;
  return t`More than ${percent}% and at least ${at_least}`;
}

/** The limits above which changes of many people are held. */
export function MassGuards({ of: organization }: { of: Organization }) {
  const { manages } = useMe();
  const { form, submit, pending, changed, failure } = useApiForm<Values, Organization>({
    initialValues: guardsOf(organization),
    send: ({ people_guard, group_guard }, version) =>
      ok(
        api.PATCH('/api/organization/', {
          params: { header: ifMatch(version) },
          body: { people_guard: guardIn(people_guard), group_guard: guardIn(group_guard) },
        }),
      ),
    edits: editsFrom(
      organization,
      () => load('/api/organization/', {}),
      guardsOf,
      (values) => [
        {
          label: t`Hold when a client deactivates many people`,
          value: guardIn(values.people_guard),
          show: words(values.people_guard),
        },
        {
          label: t`Hold when a group loses many members`,
          value: guardIn(values.group_guard),
          show: words(values.group_guard),
        },
      ],
    ),
    success: t`Limits saved`,
  });
  const fields = (guard: keyof Values) =>
    form.values[guard].enabled && (
      <Group gap="sm" align="flex-start">
        <NumberInput
          label={t`More than this percentage`}
          {...form.getInputProps(`${guard}.percent`)}
          min={1}
          max={100}
          disabled={!manages}
          required
          w={230}
        />
        <NumberInput
          label={t`And at least this number`}
          {...form.getInputProps(`${guard}.at_least`)}
          min={1}
          allowDecimal={false}
          disabled={!manages}
          required
          w={230}
        />
      </Group>
    );
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          <Trans>
            People lose their sign-in immediately. Their access in apps stays until an administrator decides
            about the{' '}
            <TextLink to="/holds" underline="always">
              hold
            </TextLink>
            .
          </Trans>
        </Text>
        <Switch
          label={t`Hold when a client deactivates many people`}
          description={t`Deactivated, deleted or replaced by one client in 24 hours, as a share of its active people.`}
          disabled={!manages}
          {...form.getInputProps('people_guard.enabled', { type: 'checkbox', withError: false })}
        />
        {fields('people_guard')}
        <Switch
          label={t`Hold when a group loses many members`}
          description={t`Members who leave a group of people in an hour, as a share of its members.`}
          disabled={!manages}
          {...form.getInputProps('group_guard.enabled', { type: 'checkbox', withError: false })}
        />
        {fields('group_guard')}
        <Save changed={changed} pending={pending} failure={failure} label={t`Save limits`} />
      </Stack>
    </form>
  );
}

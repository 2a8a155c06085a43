import { t } from '@lingui/core/macro';
import { Button, Group, MultiSelect, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, get, ok } from '../../../api/client.ts';
import { type Me, useMe } from '../../../api/me.ts';
import { picker, useApiForm } from '../../../kit/form/form.ts';
import { FormFailure } from '../../../kit/form/form-failure.tsx';
import { groupNames } from '../../../people/group-names.ts';
import { PeoplePicker } from '../../../people/person.tsx';
import { nobody } from '../nobody.ts';

interface Props {
  /** The initial name. */
  name: string | undefined;
  createApp: (name: string) => Promise<string>;
  after: (appId: string) => void;
}

/** Creates an app whose tasks people carry out, with somebody who does: by default the person who adds it. */
export function NewByHand(props: Props) {
  const { me } = useMe();
  return me === undefined ? null : <ByHandForm {...props} me={me} />;
}

const DEFAULTS = {
  enabled: true,
  assignment: 'round_robin' as const,
  instructions: {},
  due_in_working_days: {},
  remind_before_working_days: 1,
  escalate_after_working_days: 3,
};

function ByHandForm({ me, name, createApp, after }: Props & { me: Me }) {
  const groups = useQuery(get('/api/person-groups/', { query: { limit: 200 } }));
  // Settings that are refused leave the app behind. The next attempt uses it.
  const created = useRef<string>(undefined);
  const { form, submit, pending, failure } = useApiForm({
    initialValues: { name: name ?? '', people: [me.external_uuid], groups: [] as string[] },
    validate: {
      people: (people, { groups: chosen }) => (people.length + chosen.length > 0 ? null : nobody()),
    },
    send: async ({ name: appName, people, groups: chosen }) => {
      created.current ??= await createApp(appName.trim());
      const app_id = created.current;
      await ok(
        api.PUT('/api/apps/{app_id}/fulfillment/', {
          params: { path: { app_id } },
          body: { ...DEFAULTS, people, groups: chosen },
        }),
      );
      return app_id;
    },
    after,
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw={560}>
        <TextInput
          label={t`App name`}
          description={t`The name that people use, such as Payroll or GitHub.`}
          {...form.getInputProps('name')}
          required
          maxLength={255}
          disabled={created.current !== undefined}
          data-autofocus
        />
        <PeoplePicker
          label={t`Fulfillers`}
          description={t`They carry out the tasks of the app in turn. Nobody gets tasks for their own account.`}
          {...picker(form.getInputProps('people'))}
        />
        <MultiSelect
          label={t`Groups of fulfillers`}
          data={[...groupNames(groups.data?.results ?? [])].map(([value, label]) => ({ value, label }))}
          {...form.getInputProps('groups')}
          searchable
        />
        <FormFailure of={failure} />
        <Group>
          <Button type="submit" loading={pending}>
            {t`Create app`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

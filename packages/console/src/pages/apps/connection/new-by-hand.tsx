import { t } from '@lingui/core/macro';
import { Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, get, ok } from '../../../api/client.ts';
import { type Me, useMe } from '../../../api/me.ts';
import { multi } from '../../../kit/form/choice-fields.tsx';
import { Fields, useFields } from '../../../kit/form/fields.tsx';
import { FormFailure } from '../../../kit/form/form-failure.tsx';
import { text } from '../../../kit/form/text-fields.tsx';
import { groupNames } from '../../../people/group-names.ts';
import { people } from '../../../people/person-fields.tsx';
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

const FIELDS = {
  name: text({
    label: t`App name`,
    description: t`The name that people use, such as Payroll or GitHub.`,
    required: true,
    maxLength: 255,
    'data-autofocus': true,
  }),
  people: people({
    label: t`Fulfillers`,
    description: t`They carry out the tasks of the app in turn. Nobody gets tasks for their own account.`,
  }),
  groups: multi({ label: t`Groups of fulfillers`, searchable: true }),
};

function ByHandForm({ me, name, createApp, after }: Props & { me: Me }) {
  const groups = useQuery(get('/api/person-groups/', { query: { limit: 200 } }));
  // Settings that are refused leave the app behind. The next attempt uses it.
  const created = useRef<string>(undefined);
  const form = useFields(FIELDS, {
    of: { name, people: [me.external_uuid], groups: [] },
    validate: {
      people: (chosen, { groups: others }) => (chosen.length + others.length > 0 ? null : nobody()),
    },
    send: async ({ name: appName, ...chosen }) => {
      created.current ??= await createApp(appName);
      const app_id = created.current;
      const body = { ...DEFAULTS, ...chosen };
      await ok(api.PUT('/api/apps/{app_id}/fulfillment/', { params: { path: { app_id } }, body }));
      return app_id;
    },
    after,
  });
  const options = [...groupNames(groups.data?.results ?? [])].map(([value, label]) => ({ value, label }));
  return (
    <form onSubmit={form.submit}>
      <Stack gap="sm" maw={560}>
        <Fields
          of={form}
          props={{ name: { disabled: created.current !== undefined }, groups: { data: options } }}
        />
        <FormFailure of={form.failure} />
        <Group>
          <Button type="submit" loading={form.pending}>
            {t`Create app`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { type Answer, api, ok } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';
import { useApiForm } from '../../kit/form/form.ts';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { optionsOf } from '../../kit/form/form-options.ts';
import { ownTimeZone, timeZones } from '../../kit/form/time-zones.ts';
import { formatTag } from '../../language/language.ts';
import { kindTitle } from './kind-titles.ts';
import classes from './notifications.module.css';

type Own = Answer<'/api/notifications/preferences/'>;
type Kind = Own['kinds'][number];
type Change = NonNullable<
  paths['/api/notifications/preferences/']['patch']['requestBody']
>['content']['application/json'];

const SETTINGS = optionsOf<Kind['setting']>({
  immediately: t`Immediately`,
  daily: t`In a daily email`,
  off: t`Inbox only`,
});
const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));

const valuesOf = (own: Own) => ({
  time_zone: own.time_zone ?? 'UTC',
  language: own.language ?? '',
  quiet_from: own.quiet_from ?? '',
  quiet_to: own.quiet_to ?? '',
  digest_hour: String(own.digest_hour),
  kinds: Object.fromEntries(own.kinds.map(({ kind, setting }) => [kind, setting])) as Record<
    Kind['kind'],
    Kind['setting']
  >,
});

/** When the signed-in person gets emails, and about what. */
export function Preferences({ of: own }: { of: Own }) {
  const { form, submit, pending, failure } = useApiForm({
    initialValues: valuesOf(own),
    validate: {
      quiet_to: (to, { quiet_from: from }) =>
        (to === '') === (from === '') ? null : t`Enter both times of the quiet hours, or none.`,
    },
    send: ({ time_zone, language, quiet_from, quiet_to, digest_hour, kinds }) => {
      const chosen = own.kinds.filter(({ security }) => !security).map(({ kind }) => [kind, kinds[kind]]);
      const body = {
        time_zone,
        language: language.trim() || null,
        quiet_from: quiet_from || null,
        quiet_to: quiet_to || null,
        digest_hour: Number(digest_hour),
        kinds: Object.fromEntries(chosen),
      };
      return ok(api.PATCH('/api/notifications/preferences/', { body: body as Change }));
    },
    success: t`Preferences saved`,
  });
  const browserZone = ownTimeZone();
  return (
    <form onSubmit={submit} className={classes.narrow}>
      <Stack gap="sm">
        {!own.email_enabled && (
          <Alert color="blue">
            <Trans>
              Email is not set up. All notifications are in your inbox. These settings take effect when the
              operator sets up a mail server.
            </Trans>
          </Alert>
        )}
        <Group gap="sm" grow align="flex-start">
          <Select
            label={t`Time zone`}
            data={timeZones(form.values.time_zone)}
            searchable
            allowDeselect={false}
            {...form.getInputProps('time_zone')}
          />
          <TextInput
            label={t`Language of dates`}
            description={null}
            placeholder={formatTag}
            maxLength={35}
            {...form.getInputProps('language')}
          />
        </Group>
        {form.values.time_zone !== browserZone && (
          <Text size="sm" c="dimmed">
            <Trans>Your browser is in {browserZone}.</Trans>{' '}
            <Button
              variant="subtle"
              size="compact-xs"
              onClick={() => form.setFieldValue('time_zone', browserZone)}
            >
              <Trans>Use {browserZone}</Trans>
            </Button>
          </Text>
        )}
        <Group gap="sm" grow align="flex-start">
          <TextInput label={t`Quiet from`} type="time" {...form.getInputProps('quiet_from')} />
          <TextInput label={t`Quiet until`} type="time" {...form.getInputProps('quiet_to')} />
          <Select
            label={t`Daily email at`}
            data={HOURS}
            allowDeselect={false}
            {...form.getInputProps('digest_hour')}
          />
        </Group>
        <Text size="sm" c="dimmed">
          <Trans>Emails wait during quiet hours, except for security notices.</Trans>
        </Text>
        <div>
          {own.kinds.map(({ kind, security }) => (
            <div key={kind} className={classes.kind}>
              <span>{kindTitle(kind)}</span>
              {security ? (
                <Text size="sm" c="dimmed">
                  <Trans>Always immediately</Trans>
                </Text>
              ) : (
                <Select
                  aria-label={kindTitle(kind)}
                  data={SETTINGS}
                  allowDeselect={false}
                  w={180}
                  {...form.getInputProps(`kinds.${kind}`)}
                />
              )}
            </div>
          ))}
        </div>
        <FormFailure of={failure} />
        <Group justify="flex-end">
          <Button type="submit" loading={pending} disabled={!form.isDirty()}>
            <Trans>Save preferences</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

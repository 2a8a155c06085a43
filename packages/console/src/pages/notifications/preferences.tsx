import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core';
import { type Answer, api, ok } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';
import { select } from '../../kit/form/choice-fields.tsx';
import { asIs, orNull } from '../../kit/form/field.ts';
import { FieldsRow, useFields } from '../../kit/form/fields.tsx';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { optionsOf } from '../../kit/form/form-options.ts';
import { text } from '../../kit/form/text-fields.tsx';
import { timeZone } from '../../kit/form/time-zone-field.tsx';
import { ownTimeZone } from '../../kit/form/time-zones.ts';
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

type Settings = Partial<Record<Kind['kind'], Kind['setting']>>;

const time = (label: string) => orNull(text({ label, type: 'time' }));
const FIELDS = {
  time_zone: { ...timeZone({ label: t`Time zone` }), initial: 'UTC' },
  language: orNull(text({ label: t`Language of dates`, placeholder: formatTag, maxLength: 35 })),
  quiet_from: time(t`Quiet from`),
  quiet_to: time(t`Quiet until`),
  digest_hour: {
    ...select({ label: t`Daily email at`, data: HOURS, initial: '' }),
    read: String,
    write: Number,
  },
  /** Security notices have no setting. */
  kinds: {
    ...asIs<Settings>(t`Notifications`, {}),
    read: (kinds: unknown): Settings =>
      Object.fromEntries(
        (kinds as Own['kinds']).flatMap(({ kind, security, setting }) => (security ? [] : [[kind, setting]])),
      ),
  },
};

/** When the signed-in person gets emails, and about what. */
export function Preferences({ of: own }: { of: Own }) {
  const fields = useFields(FIELDS, {
    of: own,
    validate: {
      quiet_to: (to, { quiet_from: from }) =>
        (to === '') === (from === '') ? null : t`Enter both times of the quiet hours, or none.`,
    },
    send: (body) => ok(api.PATCH('/api/notifications/preferences/', { body: body as Change })),
    success: t`Preferences saved`,
  });
  const { form } = fields;
  const browserZone = ownTimeZone();
  return (
    <form onSubmit={fields.submit} className={classes.narrow}>
      <Stack gap="sm">
        {!own.email_enabled && (
          <Alert color="blue">
            <Trans>
              Email is not set up. All notifications are in your inbox. These settings take effect when the
              operator sets up a mail server.
            </Trans>
          </Alert>
        )}
        <FieldsRow of={fields} only={['time_zone', 'language']} />
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
        <FieldsRow of={fields} only={['quiet_from', 'quiet_to', 'digest_hour']} />
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
        <FormFailure of={fields.failure} />
        <Group justify="flex-end">
          <Button type="submit" loading={fields.pending} disabled={!fields.changed}>
            <Trans>Save preferences</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

import { t } from '@lingui/core/macro';
import { Alert, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, get, ok, useChange } from '../../api/client.ts';
import { detailOf } from '../../api/error.ts';
import { useMe } from '../../api/me.ts';
import { Status } from '../../kit/controls/status.tsx';

/** Whether there is a mail server, with a test. */
export function EmailState() {
  const { me, manages } = useMe();
  const kinds = useQuery(get('/api/notifications/kinds/'));
  const test = useChange(() => ok(api.POST('/api/notifications/test-email/')), { showFailure: false });
  if (kinds.data === undefined) return null;
  const email = me?.email ?? '';
  if (!kinds.data.email_enabled) {
    return (
      <>
        <Status of="off" look="idle" word={t`No mail server`} />
        <Text size="sm" c="dimmed" mt={4}>
          {t`The operator sets up a mail server with GATEHOUSE_SMTP_URL and GATEHOUSE_MAIL_FROM.`}
        </Text>
      </>
    );
  }
  return (
    <>
      <Group gap="sm">
        <Status of="on" look="good" word={t`Mail server set up`} />
        {manages && (
          <Button variant="default" loading={test.isPending} onClick={() => test.mutate(undefined)}>
            {t`Send test email`}
          </Button>
        )}
      </Group>
      <div role="status">
        {test.data !== undefined && (
          <Alert color={test.data.delivered ? 'green' : 'red'} mt="sm">
            {test.data.delivered
              ? t`The mail server took the email to ${email}.`
              : (test.data.reason ?? t`The email was not delivered.`)}
          </Alert>
        )}
        {test.isError && (
          <Alert color="red" mt="sm">
            {detailOf(test.error)}
          </Alert>
        )}
      </div>
    </>
  );
}

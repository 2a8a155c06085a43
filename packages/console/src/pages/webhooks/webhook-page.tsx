import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Alert, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { useUndoable } from '../../kit/controls/undoable.ts';
import { UnreadyPage } from '../../kit/controls/unready.tsx';
import { Deliveries } from './deliveries.tsx';
import { webhookSearch } from './search.ts';
import { TestButton } from './test-button.tsx';
import { filterWords, type Webhook, WebhookStatus } from './webhook.tsx';
import { change, WebhookDialogs } from './webhook-dialogs.tsx';

const Above = () => <TextLink to="/settings/webhooks">{t`Webhooks`}</TextLink>;
const EVERY_MS = 5000;

/** A webhook: its state, its settings and what was delivered. */
export function WebhookPage() {
  const { webhookId } = useParams({ from: '/in/settings/webhooks/$webhookId' });
  const webhook = useQuery({
    ...get('/api/webhooks/{webhook_id}/', { path: { webhook_id: webhookId } }),
    refetchInterval: EVERY_MS,
  });
  if (webhook.data === undefined) return <UnreadyPage title={t`Webhook`} above={<Above />} of={webhook} />;
  return <WebhookView webhook={webhook.data} />;
}

function WebhookView({ webhook }: { webhook: Webhook }) {
  const [at, go] = useAddress(webhookSearch);
  const { manages } = useMe();
  const pause = useUndoable(() => change(webhook.id, { enabled: false }), {
    done: () => t`Webhook paused. Its events wait until it is enabled again.`,
    undo: () => change(webhook.id, { enabled: true }),
  });
  const ask = (dialog: NonNullable<typeof at.dialog>) => go({ dialog, page: at.page });
  return (
    <>
      <PageHeader
        title={webhook.name}
        isName
        above={<Above />}
        beside={<WebhookStatus of={webhook} />}
        about={
          <Trans>
            Last delivery: <Moment at={webhook.last_delivered_at} none={t`never`} />
          </Trans>
        }
        actions={
          manages && (
            <>
              {webhook.enabled ? (
                <Button variant="default" loading={pause.isPending} onClick={() => pause.mutate(undefined)}>
                  {t`Pause`}
                </Button>
              ) : (
                <Button onClick={() => ask('enable')}>{t`Enable`}</Button>
              )}
              <TestButton webhook={webhook} />
              <Button variant="default" onClick={() => ask('replay')}>
                {t`Replay`}
              </Button>
              <Button variant="default" onClick={() => ask('rotate')}>
                {t`Rotate secret`}
              </Button>
              <Button variant="default" onClick={() => ask('edit')}>
                {t`Edit`}
              </Button>
              <Button variant="default" onClick={() => ask('delete')}>
                {t`Delete`}
              </Button>
            </>
          )
        }
      />
      <Trouble of={webhook} skip={manages ? () => ask('skip') : undefined} />
      <Section title={t`Settings`}>
        <Properties
          of={[
            [t`Address`, <code key="url">{webhook.url}</code>],
            [t`Events`, filterWords(webhook)],
            [t`Delivered up to`, <Moment key="position" at={webhook.position} />],
            [
              t`Previous secret`,
              webhook.previous_secret_valid_until === null ? undefined : (
                <span key="previous">
                  <Trans>
                    Valid until <Moment at={webhook.previous_secret_valid_until} />
                  </Trans>
                </span>
              ),
            ],
            [t`Created`, <Moment key="created" at={webhook.created_at} />],
          ]}
        />
      </Section>
      <Section title={t`Delivery log`}>
        <Deliveries webhookId={webhook.id} />
      </Section>
      {manages && (
        <WebhookDialogs
          webhook={webhook}
          dialog={at.dialog}
          close={() => go({ dialog: undefined, page: at.page })}
        />
      )}
    </>
  );
}

/** Explains why nothing is delivered, and lets people skip the event that the receiver does not take. */
function Trouble({
  of: { status, disabled_reason, failure },
  skip,
}: {
  of: Webhook;
  skip: (() => void) | undefined;
}) {
  const type = failure?.event_type ?? null;
  const action = skip !== undefined && type !== null && (
    <Button variant="default" size="compact-sm" mt="xs" onClick={skip}>
      {t`Skip this event`}
    </Button>
  );
  const event = type !== null && t`The event is ${type}.`;
  if (status === 'disabled') {
    return (
      <Alert color="red" title={t`Gatehouse disabled this webhook`} mb="md">
        <div>
          {disabled_reason} {event} {t`Once you enable it, deliveries continue where they stopped.`}
        </div>
        {action}
      </Alert>
    );
  }
  if (status !== 'failing' || failure === null) return null;
  const { attempts } = failure;
  return (
    <Alert color="yellow" title={t`The next event could not be delivered yet`} mb="md">
      <div>
        {failure.error} {event}{' '}
        <Trans>
          <Plural value={attempts} one="# attempt" other="# attempts" /> failed since{' '}
          <Moment at={failure.first_failed_at} />. The next attempt: <Moment at={failure.next_attempt_at} />.
        </Trans>
      </div>
      {action}
    </Alert>
  );
}

import { Alert, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../parts/address.ts';
import { Failure } from '../../parts/failure.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Properties } from '../../parts/properties.tsx';
import { Section } from '../../parts/section.tsx';
import { counted } from '../../parts/words.ts';
import { Deliveries } from './deliveries.tsx';
import { webhookSearch } from './search.ts';
import { TestButton } from './test-button.tsx';
import { filterWords, type Webhook, WebhookStatus } from './webhook.tsx';
import { WebhookDialogs } from './webhook-dialogs.tsx';

const Above = () => <TextLink to="/settings/webhooks">Webhooks</TextLink>;
const EVERY_MS = 5000;

/** A webhook: its state, its settings and what was delivered. */
export function WebhookPage() {
  const { webhookId } = useParams({ from: '/in/settings/webhooks/$webhookId' });
  const webhook = useQuery({
    ...get('/api/webhooks/{webhook_id}/', { path: { webhook_id: webhookId } }),
    refetchInterval: EVERY_MS,
  });
  if (webhook.data === undefined) {
    return (
      <>
        <PageHeader title="Webhook" above={<Above />} />
        {webhook.isError && <Failure error={webhook.error} again={() => void webhook.refetch()} />}
      </>
    );
  }
  return <WebhookView webhook={webhook.data} />;
}

function WebhookView({ webhook }: { webhook: Webhook }) {
  const [at, go] = useAddress(webhookSearch);
  const { manages } = useMe();
  const ask = (dialog: NonNullable<typeof at.dialog>) => go({ dialog, page: at.page });
  return (
    <>
      <PageHeader
        title={webhook.name}
        above={<Above />}
        beside={<WebhookStatus of={webhook} />}
        about={
          <>
            Last delivery: <Moment at={webhook.last_delivered_at} none="never" />
          </>
        }
        actions={
          manages && (
            <>
              <Button variant={webhook.enabled ? 'default' : 'filled'} onClick={() => ask('toggle')}>
                {webhook.enabled ? 'Pause' : 'Enable'}
              </Button>
              <TestButton webhook={webhook} />
              <Button variant="default" onClick={() => ask('replay')}>
                Replay
              </Button>
              <Button variant="default" onClick={() => ask('rotate')}>
                Rotate secret
              </Button>
              <Button variant="default" onClick={() => ask('edit')}>
                Edit
              </Button>
              <Button variant="default" onClick={() => ask('delete')}>
                Delete
              </Button>
            </>
          )
        }
      />
      <Trouble of={webhook} />
      <Section title="Settings">
        <Properties
          of={[
            ['Address', <code key="url">{webhook.url}</code>],
            ['Events', filterWords(webhook)],
            ['Delivered up to', <Moment key="position" at={webhook.position} />],
            [
              'Previous secret',
              webhook.previous_secret_valid_until === null ? undefined : (
                <span key="previous">
                  Valid until <Moment at={webhook.previous_secret_valid_until} />
                </span>
              ),
            ],
            ['Created', <Moment key="created" at={webhook.created_at} />],
          ]}
        />
      </Section>
      <Section title="Delivery log">
        <Deliveries webhookId={webhook.id} page={at.page} outcome={at.outcome} go={(change) => go(change)} />
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

/** Explains why nothing is delivered. */
function Trouble({ of: { status, disabled_reason, failure } }: { of: Webhook }) {
  if (status === 'disabled') {
    return (
      <Alert color="red" title="Gatehouse disabled this webhook" mb="md">
        {disabled_reason} Once you enable it, deliveries continue where they stopped.
      </Alert>
    );
  }
  if (status !== 'failing' || failure === null) return null;
  return (
    <Alert color="yellow" title="The next event could not be delivered yet" mb="md">
      {failure.error} {counted(failure.attempts, 'attempt')} failed since{' '}
      <Moment at={failure.first_failed_at} />. The next attempt: <Moment at={failure.next_attempt_at} />.
    </Alert>
  );
}

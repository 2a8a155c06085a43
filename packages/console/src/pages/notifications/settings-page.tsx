import { t } from '@lingui/core/macro';
import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Unready } from '../../kit/controls/unready.tsx';
import { Channels } from './channels.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { EmailState } from './email-state.tsx';
import { Preferences } from './preferences.tsx';
import { notificationSettingsSearch, TABS } from './search.ts';

/** The preferences of the signed-in person and, for those who may read them, the settings of the organization. */
export function NotificationSettingsPage() {
  const [at, go] = useAddress(notificationSettingsSearch);
  const { readsAll } = useMe();
  const tab = readsAll ? (at.tab ?? 'preferences') : 'preferences';
  return (
    <>
      <PageHeader title={t`Notifications`} about={t`Choose which messages people get, and when.`} />
      {readsAll && (
        <Tabs
          value={tab}
          onChange={(value) => go({ tab: TABS.find((one) => one === value) })}
          mb="md"
          keepMounted={false}
        >
          <Tabs.List>
            <Tabs.Tab value="preferences">{t`Your preferences`}</Tabs.Tab>
            <Tabs.Tab value="channels">{t`Email and channels`}</Tabs.Tab>
            <Tabs.Tab value="deliveries">{t`Delivery log`}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="preferences" pt="md">
            <Own />
          </Tabs.Panel>
          <Tabs.Panel value="channels" pt="md">
            <Section title={t`Email`}>
              <EmailState />
            </Section>
            <Channels />
          </Tabs.Panel>
          <Tabs.Panel value="deliveries" pt="md">
            <DeliveryLog />
          </Tabs.Panel>
        </Tabs>
      )}
      {!readsAll && <Own />}
    </>
  );
}

function Own() {
  const preferences = useQuery(get('/api/notifications/preferences/'));
  if (preferences.data === undefined) return <Unready of={preferences} />;
  return <Preferences key={JSON.stringify(preferences.data)} of={preferences.data} />;
}

import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { periodName } from '../../history/periods.ts';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Name } from '../../kit/text/name.tsx';
import { zonedTime } from '../../kit/text/words.ts';
import { PersonName } from '../../people/person.tsx';
import type { Proof } from './chain.tsx';
import { wentAlong } from './went-along.ts';

/** Whose access it was, where, and when the proof was read: it is also read on paper. */
export function Facts({ of: { account, app, as_of } }: { of: Proof }) {
  const { me, readsAll } = useMe();
  return (
    <Properties
      of={[
        [
          t`Organization`,
          me === undefined ? undefined : <Name key="organization" of={me.organization.name} />,
        ],
        [t`Person`, readsAll ? <Whose key="person" account={account.external_uuid} /> : undefined],
        [t`Account`, <Name key="account" of={account.email || account.external_uuid} />],
        [t`App`, <Name key="app" of={app.name} />],
        [t`Read`, zonedTime(new Date(as_of))],
      ]}
    />
  );
}

/** The person of an account, for those who read all accounts. */
function Whose({ account }: { account: string }) {
  const { data } = useQuery(get('/api/accounts/{account_id}/', { path: { account_id: account } }));
  return <PersonName id={data?.user} none={t`Not linked to a person`} />;
}

const MOST = 200;

/** The groups and licenses that an account had until it went, and that went with it. */
export function WentAlong({ of: { access, account, action, links } }: { of: Proof }) {
  const { readsAll } = useMe();
  const from = links.find(({ at }) => at !== null)?.at;
  const to = access.find(({ resource }) => resource === null)?.seen_gone_at;
  if (!readsAll || from == null || to == null || Date.parse(from) >= Date.parse(to)) return null;
  return <Went account={account.external_uuid} from={from} to={to} suspends={action === 'suspend_account'} />;
}

interface Removal {
  account: string;
  /** When the first link of the proof happened. */
  from: string;
  /** When a sync had seen the account gone. */
  to: string;
  suspends: boolean;
}

function Went({ account, from, to, suspends }: Removal) {
  const { data } = useQuery(get('/api/history/access/', { query: { account, from, to, limit: MOST } }));
  const gone = data === undefined ? [] : wentAlong(data.results, { to, suspends });
  if (gone.length === 0) return null;
  return (
    <Section title={t`Went with the account`}>
      <Properties
        of={gone.map((period) => [
          periodName(period),
          period.resource?.type === 'license' ? t`License` : t`Group`,
        ])}
      />
      {data?.next_cursor != null && <Text size="sm" c="dimmed">{t`This list may be incomplete.`}</Text>}
    </Section>
  );
}

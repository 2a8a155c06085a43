import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Name } from '../../kit/text/name.tsx';
import { zonedTime } from '../../kit/text/words.ts';
import { PersonName } from '../../people/person.tsx';
import type { Proof } from './chain.tsx';

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

/** The groups and licenses that an account had when its removal was decided, and that went with it. */
export function WentAlong({ of: { access, account, links } }: { of: Proof }) {
  const { readsAll } = useMe();
  const [whole] = access.filter(({ resource }) => resource === null);
  const from = links.find(({ at }) => at !== null)?.at;
  const to = whole?.seen_gone_at;
  const { data } = useQuery({
    ...get('/api/history/compare/', {
      query: {
        account: account.external_uuid,
        from: from ?? undefined,
        to: to ?? undefined,
        change: 'removed',
        limit: MOST,
      } as never,
    }),
    enabled: readsAll && from != null && to != null && Date.parse(from) < Date.parse(to),
  });
  const gone = data?.results.filter(({ resource }) => resource !== null) ?? [];
  if (gone.length === 0) return null;
  return (
    <Section title={t`Went with the account`}>
      <Properties
        of={gone.map(({ resource }) => [
          resource?.name || resource?.id || '',
          resource?.type === 'license' ? t`License` : t`Group`,
        ])}
      />
      {data?.next_cursor != null && <Text size="sm" c="dimmed">{t`Only the first ${MOST} are listed.`}</Text>}
    </Section>
  );
}

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get, type Item } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import { Pending } from '../../kit/controls/pending.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { Name } from '../../kit/text/name.tsx';
import { serverText } from '../../language/server-text.ts';
import { type Removal, RemovalState } from '../../tasks/under-way.tsx';
import { UploadLink } from '../proof/awaited-upload.tsx';
import { expectedWords, openLink, type Proof, STATES } from '../proof/chain.tsx';
import { ForEveryone } from './for-everyone.tsx';
import classes from './offboard-dialog.module.css';
import type { Person } from './person.ts';

type Account = Item<'/api/accounts/'>;

const EVERY_MS = 15_000;
const MOST = 50;

/** The accounts of a person who has left, each with how far its removal is, until a sync has seen it gone. */
export function Departure({ of: person }: { of: Person }) {
  const { readsAll, manages } = useMe();
  const isShown = readsAll && hasLeft(person);
  const { data } = useQuery({
    ...get('/api/accounts/', { query: { user: person.external_uuid, limit: MOST } }),
    enabled: isShown,
    refetchInterval: EVERY_MS,
  });
  const leavers = useQuery({
    ...get('/api/users/leavers/', { query: { user: person.external_uuid, limit: 1 } }),
    enabled: isShown,
    refetchInterval: EVERY_MS,
  });
  if (!isShown || data?.results.length === 0) return null;
  const open = leavers.data?.results[0]?.accounts ?? [];
  const suspensionsOf = ({ external_uuid }: Account) =>
    (open.find((one) => one.external_uuid === external_uuid)?.removals ?? []).filter(
      ({ action }) => action === 'suspend_account',
    );
  return (
    <Section title={t`Removal of access`} actions={manages && <ForEveryone suspends days={30} />}>
      {data === undefined ? (
        <Skeleton height={80} />
      ) : (
        <ul className={classes.rows} aria-label={t`Removal of access`}>
          {data.results.map((account) => (
            <AccountRow key={account.external_uuid} of={account} suspensions={suspensionsOf(account)} />
          ))}
        </ul>
      )}
    </Section>
  );
}

const hasLeft = ({ status, end_date }: Person) =>
  status === 'deactivated' || (end_date ?? '9999') < new Date().toISOString().slice(0, 10);

interface RowProps {
  of: Account;
  /** The open tasks that suspend it. The proof is about its deletion, if that is ordered. */
  suspensions: readonly Removal[];
}

function AccountRow({ of: account, suspensions }: RowProps) {
  const { external_uuid: accountId, app, username, email, status } = account;
  const { data } = useQuery({
    ...get('/api/accounts/{account_id}/proof/', { path: { account_id: accountId } }),
    refetchInterval: ({ state }) => (state.data?.state === 'done' ? false : EVERY_MS),
  });
  const name = username || email || t`Unnamed account`;
  return (
    <li>
      <Group gap="xs">
        <TextLink to="/accounts/$accountId" params={{ accountId }}>
          <Name of={app.name} />: <Name of={name} />
        </TextLink>
        <Status of={status} />
        {suspensions.map((suspension) => (
          <RemovalState key={suspension.task} of={suspension} />
        ))}
      </Group>
      {data === undefined ? <Pending /> : <Progress of={data} accountId={accountId} />}
    </li>
  );
}

/** The first link of the proof that is not done, or the last one. */
function Progress({ of: proof, accountId }: { of: Proof; accountId: string }) {
  const { links, task } = proof;
  const link = openLink(links) ?? links.at(-1);
  if (link === undefined || (task === null && proof.state !== 'done'))
    return <Status of="none" look="warn" word={t`No removal is ordered`} />;
  return (
    <Group gap="xs">
      <Status {...STATES[link.state]} of={link.state} />
      <span className={classes.words}>
        {serverText({ ...link, text: link.label })} {expectedWords(link)}
      </span>
      <TextLink to="/accounts/$accountId/proof" params={{ accountId }}>
        <Trans>Show proof</Trans>
      </TextLink>
      <UploadLink of={proof} />
    </Group>
  );
}

import { t } from '@lingui/core/macro';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { AppName } from '../../apps/app-name.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { PersonName } from '../../people/person.tsx';
import { accountName } from '../accounts/account.ts';
import { Restore } from './restore.tsx';
import { type RestoreSearch, restoreSearch } from './search.ts';

/** Restores the access that a person, an account or an app had at an earlier time. */
export function RestorePage() {
  const [at, go] = useAddress(restoreSearch);
  const { me, manages } = useMe();
  const { user, account, app } = at;
  return (
    <>
      <PageHeader
        title={t`Restore access`}
        above={<Origin of={at} />}
        about={t`Creates the tasks that restore access from an earlier time. It removes nothing.`}
      />
      {me === undefined ? (
        <Skeleton height={160} />
      ) : !manages ? (
        <Empty title={t`Your role does not allow this`}>
          {t`Only owners and administrators can restore access.`}
        </Empty>
      ) : (user ?? account ?? app) === undefined ? (
        <Empty title={t`Nothing selected`}>
          {t`Open a person, an account or a sync, and restore access there.`}
        </Empty>
      ) : (
        <Restore key={[user, account, app].join(' ')} at={at} go={go} />
      )}
    </>
  );
}

/** A link to the page that led here. */
function Origin({ of: { user, account, app, sync } }: { of: RestoreSearch }) {
  if (user !== undefined) return <PersonName id={user} />;
  if (account !== undefined) return <AccountLink id={account} />;
  if (app === undefined) return null;
  return (
    <>
      <AppName id={app} />
      {sync !== undefined && (
        <>
          {' / '}
          <TextLink to="/apps/$appId/syncs/$syncId" params={{ appId: app, syncId: sync }}>
            {t`Sync`}
          </TextLink>
        </>
      )}
    </>
  );
}

function AccountLink({ id }: { id: string }) {
  const { data } = useQuery(get('/api/accounts/{account_id}/', { path: { account_id: id } }));
  return (
    <TextLink to="/accounts/$accountId" params={{ accountId: id }}>
      {data === undefined ? t`Account` : accountName(data)}
    </TextLink>
  );
}

import { t } from '@lingui/core/macro';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { EntitlementLink } from '../../access/entitlement-link.tsx';
import { type Held, heldBy, heldKey, typeWords, whyHeld } from '../../access/held.ts';
import { Through } from '../../access/through.tsx';
import { Why } from '../../access/why.tsx';
import { get, list } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { beginWords } from '../../history/bounds.ts';
import { AroundTime, Certainty, certaintyColumn } from '../../history/certainty.tsx';
import { type Past, pastQuery, useCoverage } from '../../history/past.ts';
import { PastBanner } from '../../history/past-banner.tsx';
import { PastControls } from '../../history/past-controls.tsx';
import { RestoreLink } from '../../history/restore-link.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Status } from '../../kit/controls/status.tsx';
import * as column from '../../kit/table/columns.tsx';
import { type Column, TableView } from '../../kit/table/table-view.tsx';
import { Name } from '../../kit/text/name.tsx';
import { PersonName } from '../../people/person.tsx';
import { type Account, accountName } from './account.ts';

interface Props {
  /** The account as it is now. */
  account: Account;
  at: Past;
  go: (change: Past) => void;
}

/** An account as it was at an earlier time. */
export function AccountThen({ account: now, at, go }: Props) {
  const then = useQuery(
    get('/api/accounts/{account_id}/', { path: { account_id: now.external_uuid }, query: pastQuery(at) }),
  );
  const coverage = useCoverage(
    list('/api/apps/{app_id}/resources/', { path: { app_id: now.app.external_uuid }, query: pastQuery(at) }),
  );
  const account = then.data;
  const isUnknown = then.error instanceof ApiError && then.error.status === 404;
  return (
    <>
      <PageHeader
        title={accountName(account ?? now)}
        isName
        above={
          <TextLink to="/accounts" search={pastQuery(at)}>
            {t`Accounts`}
          </TextLink>
        }
        beside={account && <Status of={account.status} />}
        about={now.app.name}
        actions={<RestoreLink of={{ account: now.external_uuid }} asOf={at.as_of} />}
      />
      <PastControls of={{ account: now.external_uuid }} at={at} go={go} />
      <PastBanner at={at} go={go} coverage={coverage} />
      {isUnknown ? (
        <Empty title={then.error?.message ?? ''} />
      ) : then.isError ? (
        <Failure error={then.error} again={() => void then.refetch()} />
      ) : account === undefined ? (
        <Skeleton height={160} />
      ) : (
        <AroundTime value={coverage}>
          <Detail account={account} at={at} />
        </AroundTime>
      )}
    </>
  );
}

const columnsAt = (at: Past): Column<Held>[] => [
  column.cell('name', t`Name`, (held) => (
    <>
      <EntitlementLink of={held} appId={held.account.app.external_uuid} at={at} />
      <Through appId={held.account.app.external_uuid} via={held.via} />
    </>
  )),
  column.cell('type', t`Type`, typeWords),
  column.cell('why', t`Why`, (held) => <Why of={{ ...whyHeld(held), at }} />),
  column.cell('began', t`Began`, ({ bounds }) => bounds && beginWords(bounds)),
  certaintyColumn,
];

function Detail({ account, at }: { account: Account; at: Past }) {
  const { app, email, username, external_id, user, certainty, bounds } = account;
  return (
    <>
      <Section title={t`Account`}>
        <Properties
          of={[
            [
              t`App`,
              <TextLink
                key="app"
                to="/apps/$appId"
                params={{ appId: app.external_uuid }}
                search={{ tab: 'accounts', ...pastQuery(at) }}
              >
                <Name of={app.name} />
              </TextLink>,
            ],
            [t`Person`, <PersonName key="person" id={user} />],
            [t`Email`, email === '' ? t`None` : email],
            [t`Username`, username === '' ? t`None` : username],
            [t`External ID`, external_id ?? t`Not known yet`],
            [t`Seen`, <Certainty key="certainty" of={certainty} bounds={bounds} />],
          ]}
        />
      </Section>
      <Section title={t`Access`}>
        <TableView
          label={t`Groups and licenses`}
          columns={columnsAt(at)}
          rows={heldBy(account)}
          rowId={heldKey}
          empty={<Empty title={t`This account had no groups or licenses`} />}
        />
      </Section>
    </>
  );
}

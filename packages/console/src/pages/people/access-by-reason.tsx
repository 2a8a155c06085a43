import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { EntitlementLink } from '../../access/entitlement-link.tsx';
import {
  foundWords,
  type GrantReference,
  grantWords,
  unknownWords,
  untilWords,
} from '../../access/grant-words.ts';
import { type Grant, useGrants } from '../../access/grants.ts';
import { type Held, heldBy, heldKey, typeWords, whyHeld } from '../../access/held.ts';
import { Decision } from '../../access/reasons.tsx';
import { Since } from '../../access/since.tsx';
import { Why } from '../../access/why.tsx';
import { everything, type Item, type List, list } from '../../api/client.ts';
import { appColumn } from '../../apps/app-column.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import { Status } from '../../kit/controls/status.tsx';
import * as column from '../../kit/table/columns.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { Name } from '../../kit/text/name.tsx';
import { PersonName } from '../../people/person.tsx';
import classes from './people.module.css';
import { personSearch } from './search.ts';

type Account = Item<'/api/accounts/'>;

/** A reason of an access. An access with several reasons has a row for each. */
interface Row {
  account: Account;
  /** null: the account itself. */
  held: Held | null;
  /** null: a sync found it, or there is none. */
  grant: GrantReference | null;
  reason: { rank: number; words: string };
}

const RANKS: readonly GrantReference['kind'][] = ['request', 'manual', 'restore', 'policy'];
const OTHERS = RANKS.length;

function reasonsOf({ grants, found }: Pick<Account, 'grants' | 'found'>) {
  const given = grants.map((grant) => ({
    grant,
    reason: { rank: RANKS.indexOf(grant.kind), words: grantWords(grant) },
  }));
  if (found) return [...given, { grant: null, reason: { rank: OTHERS, words: foundWords } }];
  return given.length > 0 ? given : [{ grant: null, reason: { rank: OTHERS + 1, words: unknownWords } }];
}

const rowsOf = (account: Account): Row[] => [
  ...reasonsOf(account).map((one) => ({ ...one, account, held: null })),
  ...heldBy(account).flatMap((held) => reasonsOf(held).map((one) => ({ ...one, account, held }))),
];

const appOf = ({ account }: Row) => account.app.name;

/** All access of a person, by its reason. */
const byReason = (user: string): List<Row> => {
  const accounts = list('/api/accounts/', { query: { user } });
  return {
    key: [...accounts.key, 'by-reason'],
    page: async ({ limit, offset }, signal) => {
      const rows = (await Array.fromAsync(everything(accounts, signal)))
        .flatMap(rowsOf)
        .sort(
          (one, other) =>
            one.reason.rank - other.reason.rank ||
            one.reason.words.localeCompare(other.reason.words) ||
            appOf(one).localeCompare(appOf(other)),
        );
      return { count: rows.length, results: rows.slice(offset, offset + limit) };
    },
  };
};

const nameOf = ({ held }: Row) => (held === null ? t`Account` : held.name || held.id);
const accountLabel = ({ account: { username, email } }: Row) => username || email;

const columns: Column<Row>[] = [
  column.cell('access', t`Access`, { phone: 'title', csv: nameOf, linked: true }, (row) => (
    <>
      {row.held === null ? (
        <TextLink to="/accounts/$accountId" params={{ accountId: row.account.external_uuid }}>
          <Name of={nameOf(row)} />
        </TextLink>
      ) : (
        <Text component="span" inherit fw={550}>
          <EntitlementLink of={row.held} appId={row.account.app.external_uuid} />
        </Text>
      )}
      <Text component="span" size="xs" c="dimmed" fw="normal" ms="xs">
        {row.held === null ? <Status of={row.account.status} /> : typeWords(row.held)}
      </Text>
    </>
  )),
  appColumn('app', t`App`, appOf, { phone: 'detail' }),
  column.email('account', t`Account`, accountLabel),
  column.cell('since', t`Since`, { csv: ({ held }) => held?.granted_at }, ({ held }) =>
    held === null ? t`Not known` : <Since of={held} />,
  ),
  column.moment('last_used', t`Last used`, ({ account }) => account.last_sign_in_at ?? null, {
    none: t`Not known`,
  }),
  column.cell(
    'ends',
    t`Ends`,
    { phone: 'detail', csv: ({ grant }) => grant?.ends_at },
    ({ grant }) =>
      grant?.ends_at != null && <time dateTime={grant.ends_at}>{untilWords(grant.ends_at)}</time>,
  ),
  column.cell('why', t`Why`, { phone: 'detail', csv: ({ reason }) => reason.words }, (row) => (
    <Why of={whyOf(row)}>{t`Why`}</Why>
  )),
];

const exported: Column<Row>[] = [
  column.cell(
    'type',
    t`Type`,
    { csv: ({ held }) => (held === null ? t`Account` : typeWords(held)) },
    () => null,
  ),
  column.cell('status', t`Status`, { csv: ({ account }) => account.status }, () => null),
];

const whyOf = ({ account, held }: Row) =>
  held === null
    ? {
        ...account,
        account: account.external_uuid,
        appId: account.app.external_uuid,
        name: account.app.name,
        held: null,
      }
    : whyHeld(held);

/** The access of a person in all apps, grouped by the decision that gives it. */
export function AccessByReason({ user }: { user: string }) {
  const address = useAddress(personSearch);
  const details = useGrants({ user });
  const known = new Map(details?.map((grant) => [grant.external_uuid, grant]));
  return (
    <ListTable
      address={address}
      label={t`Access by reason`}
      counted={(n) => plural(n, { one: '# entry', other: '# entries' })}
      list={byReason(user)}
      columns={columns}
      rowId={({ account, held, grant }) =>
        `${grant?.external_uuid ?? ''} ${held === null ? account.external_uuid : heldKey(held)}`
      }
      rowName={nameOf}
      href={({ account }) => `/accounts/${account.external_uuid}`}
      group={(row) => ({
        id: row.reason.words,
        title: <Title of={row} detail={known.get(row.grant?.external_uuid ?? '')} />,
      })}
      csv="access"
      exported={exported}
      empty={{
        title: t`No accounts yet`,
        text: t`Gatehouse links accounts with the same email. You can link other accounts on their pages.`,
      }}
    />
  );
}

/** "REQ-12: access to Payroll, decided by Ada Lovelace" */
function Title({ of: { grant, reason }, detail }: { of: Row; detail: Grant | undefined }) {
  const words = <Name of={reason.words} />;
  if (grant === null) return words;
  return (
    <>
      <Decision kind={grant.kind} id={detail?.source.external_uuid}>
        {words}
      </Decision>
      {detail?.decided_by != null && (
        <span className={classes.decidedBy}>
          <Trans>
            decided by <PersonName id={detail.decided_by} />
          </Trans>
        </span>
      )}
    </>
  );
}

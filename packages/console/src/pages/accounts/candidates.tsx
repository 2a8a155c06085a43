import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button } from '@mantine/core';
import { useState } from 'react';
import { api, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { ActionDialog } from '../../kit/action/action-dialog.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Section } from '../../kit/controls/section.tsx';
import * as column from '../../kit/table/columns.tsx';
import { type Column, TableView } from '../../kit/table/table-view.tsx';
import { type Account, accountName } from './account.ts';

type Candidate = NonNullable<Account['candidates']>[number];

const nameOf = ({ display_name, username, email, external_id }: Candidate) =>
  display_name || username || email || external_id;

/** The records of an app of which each may be the account that a task created. An administrator chooses one. */
export function Candidates({ account }: { account: Account }) {
  const { manages } = useMe();
  const [chosen, choose] = useState<string>();
  const { candidates, external_id } = account;
  if (candidates === undefined) return null;
  const app = account.app.name;
  const columns: Column<Candidate>[] = [
    column.cell('name', t`Record`, { phone: 'title' }, (one) => (
      <TextLink to="/accounts/$accountId" params={{ accountId: one.account }}>
        {nameOf(one)}
      </TextLink>
    )),
    column.text('username', t`Username`, { phone: 'detail' }),
    column.text('email', t`Email`),
    column.text('external_id', t`External ID`, { phone: 'detail' }),
    column.status('status', t`Status`, { phone: 'detail' }),
    column.cell(
      'actions',
      '',
      (one) =>
        manages && (
          <Button size="compact-xs" variant="default" onClick={() => choose(one.external_id)}>
            {t`Choose`}
          </Button>
        ),
    ),
  ];
  return (
    <Section title={t`Record to choose`}>
      <Alert color="yellow" mb="sm">
        {external_id === null
          ? t`Gatehouse created this account, and several records of ${app} may be it. Until you choose one, its scheduled tasks wait, such as the one that ends its access.`
          : t`Gatehouse created this account. Its record has the external ID ${external_id}, but another record of ${app} fits better.`}
      </Alert>
      <TableView
        label={t`Records`}
        columns={columns}
        rows={candidates}
        rowId={(one) => one.account}
        empty={null}
      />
      {external_id !== null && manages && (
        <Button variant="default" mt="sm" onClick={() => choose(external_id)}>
          {t`Keep the present record`}
        </Button>
      )}
      <ActionDialog
        of={
          chosen === undefined
            ? undefined
            : {
                title: t`Choose the record ${{ record: chosen }}?`,
                sentence: (
                  <Trans>
                    {accountName(account)} becomes the account with this external ID. Its scheduled tasks
                    stay, and those of the record join them.
                  </Trans>
                ),
                button: t`Choose`,
                request: () => {
                  const params = { path: { account_id: account.external_uuid } };
                  const body = { external_id: chosen };
                  return ok(api.POST('/api/accounts/{account_id}/correlate/', { params, body }));
                },
              }
        }
        close={() => choose(undefined)}
      />
    </Section>
  );
}

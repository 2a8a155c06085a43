import { t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { api, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { ButtonLink } from '../../kit/controls/links.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { NewBySpreadsheet } from '../uploads/new-by-spreadsheet.tsx';
import classes from './home.module.css';

/** Creates the sample company. The page of an organization with apps replaces this one. */
function TrySample() {
  const create = useChange(() => ok(api.POST('/api/organization/sample/')), {
    success: t`Sample company created`,
    showFailure: false,
  });
  return (
    <Stack gap="sm" align="flex-start">
      <FormFailure of={create.error} />
      <Button variant="default" loading={create.isPending} onClick={() => create.mutate(undefined)}>
        {t`Try a sample company`}
      </Button>
    </Stack>
  );
}

/** Leads an organization without apps to its first accounts: from a file, by hand, or with a connector. */
export function FirstRun() {
  const { me } = useMe();
  const name = me?.organization.name ?? t`This organization`;
  return (
    <>
      <PageHeader
        title={t`Welcome to Gatehouse`}
        about={t`${name} has no apps yet. An app is one system whose accounts you want to govern.`}
      />
      <Section title={t`Start with a file`}>
        <NewBySpreadsheet />
      </Section>
      <div className={classes.starts}>
        <Section title={t`Start without a file`}>
          <p>{t`Type or paste the names of the people who have an account.`}</p>
          <ButtonLink to="/apps/new" search={{ type: 'by_hand' }} variant="default">
            {t`Enter accounts by hand`}
          </ButtonLink>
        </Section>
        <Section title={t`Connect a system`}>
          <p>{t`A connector reads the accounts on a schedule, and carries out changes.`}</p>
          <ButtonLink to="/apps/new" variant="default">
            {t`Add app`}
          </ButtonLink>
        </Section>
        <Section title={t`Look around first`}>
          <p>{t`A sample company has fictional people, apps and accounts. You can remove it at any time.`}</p>
          <TrySample />
        </Section>
      </div>
    </>
  );
}

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useMe } from '../../api/me.ts';
import { ButtonLink } from '../../kit/controls/links.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import classes from './overview.module.css';

/** Leads an organization without apps to its first sync. */
export function FirstRun() {
  const { me } = useMe();
  const name = me?.organization.name ?? t`This organization`;
  return (
    <>
      <PageHeader
        title={t`Welcome to Gatehouse`}
        about={t`${name} has no apps yet. Run your first sync in three steps.`}
      />
      <ol className={classes.steps}>
        <li>
          <h2>
            <Trans>Add an app</Trans>
          </h2>
          <p>
            <Trans>
              An app is one system whose accounts you want to govern: GitHub, a database, payroll.
            </Trans>
          </p>
          <ButtonLink to="/apps/new">
            <Trans>Add app</Trans>
          </ButtonLink>
        </li>
        <li>
          <h2>
            <Trans>Check the connection</Trans>
          </h2>
          <p>
            <Trans>Gatehouse tests the settings and shows the first records before it stores any.</Trans>
          </p>
        </li>
        <li>
          <h2>
            <Trans>Run the first sync</Trans>
          </h2>
          <p>
            <Trans>Choose a schedule. The accounts appear as they arrive.</Trans>
          </p>
        </li>
      </ol>
    </>
  );
}

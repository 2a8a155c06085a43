import { t } from '@lingui/core/macro';
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
          <h2>{t`Add an app`}</h2>
          <p>{t`An app is one system whose accounts you want to govern: GitHub, a database, payroll.`}</p>
          <ButtonLink to="/apps/new">{t`Add app`}</ButtonLink>
        </li>
        <li>
          <h2>{t`Check the connection`}</h2>
          <p>{t`Gatehouse tests the settings and shows the first records before it stores any.`}</p>
        </li>
        <li>
          <h2>{t`Run the first sync`}</h2>
          <p>{t`Choose a schedule. The accounts appear as they arrive.`}</p>
        </li>
      </ol>
    </>
  );
}

import { useMe } from '../../api/me.ts';
import { ButtonLink } from '../../parts/links.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import classes from './overview.module.css';

/** Leads an organization without apps to its first sync. */
export function FirstRun() {
  const { me } = useMe();
  return (
    <>
      <PageHeader
        title="Welcome to Gatehouse"
        about={`${me?.organization.name ?? 'This organization'} has no apps yet. Run your first sync in three steps.`}
      />
      <ol className={classes.steps}>
        <li>
          <h2>Add an app</h2>
          <p>An app is one system whose accounts you want to govern: GitHub, a database, payroll.</p>
          <ButtonLink to="/apps/new">Add app</ButtonLink>
        </li>
        <li>
          <h2>Check the connection</h2>
          <p>Gatehouse tests the settings and shows the first records before it stores any.</p>
        </li>
        <li>
          <h2>Run the first sync</h2>
          <p>Choose a schedule. The accounts appear as they arrive.</p>
        </li>
      </ol>
    </>
  );
}

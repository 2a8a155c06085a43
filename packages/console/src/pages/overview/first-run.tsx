import { useMe } from '../../api/me.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { NewAppForm } from '../apps/new-app.tsx';
import classes from './overview.module.css';

/** Leads an organization without apps to its first sync. ConnectGuide, on the app's page, continues from here. */
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
          <h2>Create an app</h2>
          <p>An app is one system whose accounts you want to govern: GitHub, a database, payroll.</p>
          <NewAppForm suggested="" />
        </li>
        <li>
          <h2>Create an API key</h2>
          <p>Create an API key for this app on its page.</p>
        </li>
        <li>
          <h2>Run the first sync</h2>
          <p>The app's page shows the command to run, and the records as they arrive.</p>
        </li>
      </ol>
    </>
  );
}

import { useMe } from '../../api/me.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { NewAppForm } from '../apps/new-app.tsx';
import classes from './overview.module.css';

/** An organization without an app: the way to its first sync begins here and goes on at the app (ConnectGuide). */
export function FirstRun() {
  const { me } = useMe();
  return (
    <>
      <PageHeader
        title="Welcome to Gatehouse"
        about={`${me?.organization.name ?? 'This organization'} has no app yet. Three steps lead to the first sync.`}
      />
      <ol className={classes.steps}>
        <li>
          <h2>Create an app</h2>
          <p>An app stands for one system whose accounts you want to govern: GitHub, a database, payroll.</p>
          <NewAppForm suggested="" />
        </li>
        <li>
          <h2>Give its connector a key</h2>
          <p>The app's page makes one that reaches this app alone.</p>
        </li>
        <li>
          <h2>Run the first sync</h2>
          <p>The app's page shows the exact command, and the records as they arrive.</p>
        </li>
      </ol>
    </>
  );
}

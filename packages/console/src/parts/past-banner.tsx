import { Alert, Button, Group, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import type { Coverage } from '../api/client.ts';
import { Empty } from './empty.tsx';
import { TextLink } from './links.tsx';
import { NOW, type Past } from './past.ts';
import classes from './past-banner.module.css';
import { counted, exact, localTime } from './words.ts';

interface Props {
  at: Past;
  go: (change: Past) => void;
  /** undefined while it loads. */
  coverage: readonly Coverage[] | undefined;
}

/** A banner with the time that the page shows, and the syncs before and after it. */
export function PastBanner({ at: { as_of, known_at }, go, coverage }: Props) {
  if (as_of === undefined) return null;
  const moment = new Date(as_of);
  return (
    <Alert
      color="yellow"
      role="status"
      icon={<IconHistory aria-hidden />}
      title={`You are looking at ${localTime(moment)}`}
      mb="md"
    >
      <Text size="sm">
        {exact(moment)}. Most actions are hidden while you look at the past.
        {known_at !== undefined && ` Corrections after ${exact(new Date(known_at))} are left out.`}
      </Text>
      {coverage !== undefined && <Syncs of={coverage} />}
      <Group mt="xs">
        <Button variant="default" onClick={() => go(NOW)}>
          Return to now
        </Button>
      </Group>
    </Alert>
  );
}

const NAMED = 5;

/** The words around the times of the syncs. */
export interface SyncWords {
  title: string;
  moment: string;
  before: string;
  after: string;
  /** Replaces the time of a later sync. */
  none: string;
  unknown: (one: Coverage) => string;
}

const ONE_TIME: SyncWords = {
  title: 'Syncs before and after this time',
  moment: 'at this time',
  before: 'last sync before',
  after: 'next sync',
  none: 'no sync since',
  unknown: (one) => `${unknownWords(one)} Anything listed was first seen later.`,
};

interface SyncsProps {
  of: readonly Coverage[];
  words?: SyncWords;
}

/** The syncs around a time, app by app. */
export function Syncs({ of, words = ONE_TIME }: SyncsProps) {
  const unknown = of.filter((one) => !one.known);
  const lines = of.map((one) => (
    <p key={one.app.id}>{one.known ? <Around of={one} words={words} /> : words.unknown(one)}</p>
  ));
  if (of.length <= 1) return <div className={classes.syncs}>{lines}</div>;
  const names = unknown.slice(0, NAMED).map(({ app }) => app.name);
  if (unknown.length > NAMED) names.push(`${unknown.length - NAMED} more`);
  return (
    <div className={classes.syncs}>
      {unknown.length > 0 && (
        <p>
          Gatehouse knows nothing about {counted(unknown.length, 'app')} {words.moment}: {names.join(', ')}.
          Anything listed there was first seen later.
        </p>
      )}
      <details>
        <summary>
          {words.title}, for {counted(of.length, 'app')}
        </summary>
        {lines}
      </details>
    </div>
  );
}

function Around({ of: { app, sync_before, sync_after }, words }: { of: Coverage; words: SyncWords }) {
  return (
    <>
      {app.name}: {words.before} {sync_before !== null && <SyncTime app={app.id} at={sync_before.at} />},{' '}
      {sync_after === null ? (
        words.none
      ) : (
        <>
          {words.after} <SyncTime app={app.id} at={sync_after.at} />
        </>
      )}
      .
    </>
  );
}

function SyncTime({ app, at }: { app: string; at: string }) {
  const moment = new Date(at);
  return (
    <TextLink to="/apps/$appId" params={{ appId: app }} search={{ tab: 'syncs' }}>
      <time dateTime={at} title={exact(moment)}>
        {localTime(moment)}
      </time>
    </TextLink>
  );
}

function unknownWords({ app, sync_after }: Coverage): string {
  return sync_after === null
    ? `Gatehouse knows nothing about ${app.name}: none of its syncs has completed.`
    : `Gatehouse knows nothing about ${app.name} before ${localTime(new Date(sync_after.at))}.`;
}

interface NothingProps {
  at: Past;
  coverage: readonly Coverage[] | undefined;
  /** "No accounts" */
  none: string;
}

/** Replaces an empty list about the past. An app without syncs before this time is no proof of absence. */
export function NothingThen({ at: { as_of = '' }, coverage, none }: NothingProps) {
  const unknown = coverage?.filter(({ known }) => !known) ?? [];
  const [first] = unknown;
  if (first === undefined) return <Empty title={`${none} at ${localTime(new Date(as_of))}`} />;
  if (unknown.length === 1 && coverage?.length === 1) {
    return <Empty title={unknownWords(first)}>The time is before the first completed sync of the app.</Empty>;
  }
  return (
    <Empty title={`${none} are known at ${localTime(new Date(as_of))}`}>
      The time is before the first completed sync of {counted(unknown.length, 'app')}.
    </Empty>
  );
}

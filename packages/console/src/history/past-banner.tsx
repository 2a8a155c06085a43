import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Text } from '@mantine/core';
import type { Coverage } from '../api/client.ts';
import { Empty } from '../kit/controls/empty.tsx';
import { TextLink } from '../kit/controls/links.tsx';
import { IconHistory } from '../kit/icons/icons.ts';
import { localTime, zonedTime } from '../kit/text/words.ts';
import { NOW, type Past } from './past.ts';
import classes from './past-banner.module.css';

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
  const [shown, time] = [localTime(moment), zonedTime(moment)];
  const known = known_at && zonedTime(new Date(known_at));
  return (
    <Alert
      color="yellow"
      role="status"
      icon={<IconHistory aria-hidden />}
      title={t`You are looking at ${shown}`}
      mb="md"
    >
      <Text size="sm">
        {t`${time}. Most actions are hidden while you look at the past.`}
        {known !== undefined && <> {t`Corrections after ${known} are left out.`}</>}
      </Text>
      {coverage !== undefined && <Syncs of={coverage} />}
      <Group mt="xs">
        <Button variant="default" onClick={() => go(NOW)}>
          {t`Return to now`}
        </Button>
      </Group>
    </Alert>
  );
}

const NAMED = 5;

/** Whether a page shows one time, or compares two. */
type Times = 'one' | 'two';

/** The syncs around the time of a page, app by app. */
export function Syncs({ of, times = 'one' }: { of: readonly Coverage[]; times?: Times }) {
  const unknown = of.filter((one) => !one.known);
  const lines = of.map((one) => (
    <p key={one.app.id}>
      {one.known ? <Around of={one} times={times} /> : times === 'one' ? unknownNow(one) : unknownFirst(one)}
    </p>
  ));
  if (of.length <= 1) return <div className={classes.syncs}>{lines}</div>;
  const apps = of.length;
  return (
    <div className={classes.syncs}>
      {unknown.length > 0 && <p>{unknownApps(unknown, times)}</p>}
      <details>
        <summary>
          {times === 'one' ? (
            <Plural
              value={apps}
              one="Syncs before and after this time, for # app"
              other="Syncs before and after this time, for # apps"
            />
          ) : (
            <Plural
              value={apps}
              one="Syncs before the first time and after the second, for # app"
              other="Syncs before the first time and after the second, for # apps"
            />
          )}
        </summary>
        {lines}
      </details>
    </div>
  );
}

function unknownApps(unknown: readonly Coverage[], times: Times): string {
  const [count, more] = [unknown.length, unknown.length - NAMED];
  const shown = unknown.slice(0, NAMED).map(({ app }) => app.name);
  const listed = shown.join(', ');
  const names = more > 0 ? t`${listed}, ${more} more` : listed;
  return times === 'one'
    ? t`Gatehouse knows nothing about ${plural(count, { one: '# app', other: '# apps' })} at this time: ${names}. Anything listed there was first seen later.`
    : t`Gatehouse knows nothing about ${plural(count, { one: '# app', other: '# apps' })} at the first time: ${names}. Anything listed there was first seen later.`;
}

function unknownNow(one: Coverage): string {
  const unknown = unknownWords(one);
  return t`${unknown} Anything listed was first seen later.`;
}

function unknownFirst({ app: { name } }: Coverage): string {
  return t`Gatehouse knows nothing about ${name} at the first time. Access that seems added may be older.`;
}

function Around({ of: { app, sync_before, sync_after }, times }: { of: Coverage; times: Times }) {
  const { name } = app;
  const before = sync_before !== null && <SyncTime app={app.id} {...sync_before} />;
  const after = sync_after !== null && <SyncTime app={app.id} {...sync_after} />;
  if (times === 'one')
    return after === false ? (
      <Trans>
        {name}: last sync before {before}, no sync since.
      </Trans>
    ) : (
      <Trans>
        {name}: last sync before {before}, next sync {after}.
      </Trans>
    );
  return after === false ? (
    <Trans>
      {name}: last sync before the first time {before}, no sync after the second time.
    </Trans>
  ) : (
    <Trans>
      {name}: last sync before the first time {before}, first sync after the second time {after}.
    </Trans>
  );
}

function SyncTime({ app, at, sync_id }: { app: string; at: string; sync_id: string }) {
  const moment = new Date(at);
  return (
    <TextLink to="/apps/$appId/syncs/$syncId" params={{ appId: app, syncId: sync_id }}>
      <time dateTime={at} title={zonedTime(moment)}>
        {localTime(moment)}
      </time>
    </TextLink>
  );
}

function unknownWords({ app: { name }, sync_after }: Coverage): string {
  if (sync_after === null) return t`Gatehouse knows nothing about ${name}: none of its syncs has completed.`;
  const time = localTime(new Date(sync_after.at));
  return t`Gatehouse knows nothing about ${name} before ${time}.`;
}

interface NothingProps {
  at: Past;
  coverage: readonly Coverage[] | undefined;
  /** "No accounts" */
  none: string;
}

/** Replaces an empty list about the past. An app without syncs before this time does not prove absence. */
export function NothingThen({ at: { as_of = '' }, coverage, none }: NothingProps) {
  const unknown = coverage?.filter(({ known }) => !known) ?? [];
  const [first] = unknown;
  const time = localTime(new Date(as_of));
  if (first === undefined) return <Empty title={t`${none} at ${time}`} />;
  if (unknown.length === 1 && coverage?.length === 1) {
    return (
      <Empty title={unknownWords(first)}>{t`The time is before the first completed sync of the app.`}</Empty>
    );
  }
  return (
    <Empty title={t`${none} are known at ${time}`}>
      <Plural
        value={unknown.length}
        one="The time is before the first completed sync of # app."
        other="The time is before the first completed sync of # apps."
      />
    </Empty>
  );
}

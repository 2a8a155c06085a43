import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Text } from '@mantine/core';
import { Moment } from '../../kit/controls/moment.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { IconArrowBackUp } from '../../kit/icons/icons.ts';
import { grouped, lasted } from '../../kit/text/words.ts';
import { PersonName } from '../../people/person.tsx';
import classes from './app-overview.module.css';
import { SessionStatus } from './session-status.tsx';
import { pushedBy, type Session } from './sessions.ts';
import { ClientName, Superseded } from './superseded.tsx';
import { SyncProgress } from './sync-progress.tsx';

/** The state of a sync, its counts, and how many records were pushed of each type. */
export function SyncSummary({ session }: { session: Session }) {
  const { started_at, finished_at, error, counts, membership_counts, superseded_by, held, client } = session;
  // The removals of a held session are not counted yet.
  const removed = held === undefined ? counts?.removed : undefined;
  const countOf = (count: number | undefined) => (count === undefined ? undefined : grouped(count));
  return (
    <div className={classes.columns}>
      <Section title={t`Summary`}>
        <Properties
          of={[
            [t`Status`, <SessionStatus key="status" of={session} />],
            [t`Error`, error?.message],
            [t`Replaced`, superseded_by && <Superseded key="replaced" session={session} />],
            [t`Started by`, client && <ClientName key="client" of={client} />],
            [t`Started`, <Moment key="started" at={started_at} />],
            [t`Ended`, finished_at === null ? undefined : <Moment key="ended" at={finished_at} />],
            [t`Duration`, finished_at === null ? undefined : lasted(started_at, finished_at)],
            [t`Pushed`, grouped(pushedBy(session))],
            [t`Created`, countOf(counts?.created)],
            [t`Updated`, countOf(counts?.updated)],
            [t`Unchanged`, countOf(counts?.unchanged)],
            [t`Removed`, countOf(removed)],
            [t`Memberships added`, countOf(membership_counts?.added)],
            [t`Memberships removed`, countOf(membership_counts?.removed)],
          ]}
        />
      </Section>
      {session.progress.length > 0 && (
        <Section title={t`Pushed records`}>
          <SyncProgress session={session} before={undefined} />
        </Section>
      )}
    </div>
  );
}

export function Reverted({
  session: { reverted_at, reverted_by, reverted_reason: reason },
}: {
  session: Session;
}) {
  if (reverted_at === undefined) return null;
  return (
    <Alert color="blue" icon={<IconArrowBackUp aria-hidden />} title={t`This sync was reverted`} mb="md">
      <Trans>
        <PersonName id={reverted_by ?? null} none={t`Gatehouse`} /> reverted it <Moment at={reverted_at} />.
        The changes below count as recorded by mistake.
      </Trans>
      {reason != null && (
        <Text size="sm" mt={4}>
          {t`Reason: ${reason}`}
        </Text>
      )}
    </Alert>
  );
}

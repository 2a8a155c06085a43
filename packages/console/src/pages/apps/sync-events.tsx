import { t } from '@lingui/core/macro';
import { History } from '../../events/event-history.tsx';
import { Section } from '../../kit/controls/section.tsx';
import type { App } from './app.ts';
import { type Session, sessionStatus } from './sessions.ts';

interface Props {
  app: App;
  session: Session;
}

/** The events of a sync itself, newest first. */
export function SyncEvents({ app, session }: Props) {
  const { sync_id, reverted_at = '' } = session;
  return (
    <Section title={t`Events`}>
      <History
        of={{ sync_uuid: sync_id }}
        among={{ subject: app.external_uuid }}
        version={`${sessionStatus(session)} ${reverted_at}`}
        label={t`Events of this sync`}
        none={t`No events yet.`}
      />
    </Section>
  );
}

import { Group } from '@mantine/core';
import { PersonName } from '../../parts/person.tsx';
import { Status } from '../../parts/status.tsx';
import { type Session, sessionStatus } from './sessions.ts';

/** The status of a sync session. An administrator's rejection of a large removal is a decision, not a failure. */
export function SessionStatus({ of: session }: { of: Session }) {
  if (session.rejected_by === undefined) return <Status of={sessionStatus(session)} />;
  return (
    <Group gap={5}>
      <Status of="rejected" look="held" word="Removal rejected" />
      by <PersonName id={session.rejected_by} />
    </Group>
  );
}

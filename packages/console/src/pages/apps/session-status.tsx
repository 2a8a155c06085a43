import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group } from '@mantine/core';
import { Status } from '../../kit/controls/status.tsx';
import { PersonName } from '../../people/person.tsx';
import { type Session, sessionStatus } from './sessions.ts';

/** The status of a sync session. A large removal that an administrator rejected is a decision, not a failure. */
export function SessionStatus({ of: session }: { of: Session }) {
  const { rejected_by, approved_by, status } = session;
  if (rejected_by !== undefined)
    return (
      <Group gap={5}>
        <Status of="rejected" look="held" word={t`Rejected`} />
        <span>
          <Trans>
            by <PersonName id={rejected_by} />
          </Trans>
        </span>
      </Group>
    );
  if (approved_by === undefined || status === 'error') return <Status of={sessionStatus(session)} />;
  return (
    <Group gap={5}>
      <Status of="approved" look={status === 'completed' ? 'good' : 'busy'} word={t`Approved`} />
      <span>
        <Trans>
          by <PersonName id={approved_by} />
        </Trans>
      </span>
    </Group>
  );
}

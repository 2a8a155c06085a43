import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { Moment } from '../../kit/controls/moment.tsx';
import { IconAlertTriangle } from '../../kit/icons/icons.ts';
import type { Session } from './sessions.ts';

type Client = NonNullable<Session['client']>;

/** The client that starts sessions, for a sentence. */
export function ClientName({ of: { type, name } }: { of: Client }): ReactNode {
  if (type === 'connector') return t`the managed connector`;
  if (name === null) return type === 'person' ? t`an upload` : t`another API key`;
  const shown = <bdi translate="no">{name}</bdi>;
  return type === 'person' ? <Trans>{shown} (upload)</Trans> : shown;
}

const isSame = (one: Client, other: Client) => one.type === other.type && one.id === other.id;

/** Returns who superseded a session, unless that is the one who started it. */
function otherClient({ client, superseded_by_client: by }: Session): Client | undefined {
  return client !== undefined && by !== undefined && !isSame(client, by) ? by : undefined;
}

/** Shows that a newer session replaced one, and whose it is. */
export function Superseded({ session }: { session: Session }): ReactNode {
  const by = otherClient(session);
  if (by === undefined) return t`Replaced by a newer session.`;
  return (
    <Trans>
      Replaced by a newer session of <ClientName of={by} />.
    </Trans>
  );
}

/** With so many discarded sessions in a row, the server tells people (D21). */
const TOLD_AT = 3;

/** Warns that two clients have discarded each other's sessions, with what to do, until a session has completed. */
export function DiscardedInTurns({ sessions }: { sessions: readonly Session[] }): ReactNode {
  const [newest] = sessions;
  const row = newest?.superseded_in_row;
  const isOver = newest?.status !== 'in_progress' && newest?.status !== 'abandoned';
  if (row === undefined || row.count < TOLD_AT || isOver) return null;
  const last = sessions.find((session) => otherClient(session) !== undefined);
  const { count: syncs } = row;
  const discarded = plural(syncs, { one: '# sync', other: '# syncs' });
  return (
    <Alert
      color="yellow"
      icon={<IconAlertTriangle aria-hidden />}
      title={t`Two connectors send this app`}
      mb="md"
    >
      <Trans>
        Discarded in a row since <Moment at={row.since} />, because another connector started a newer one:{' '}
        {discarded}.
      </Trans>{' '}
      {last?.client !== undefined && last.superseded_by_client !== undefined && (
        <Trans>
          The last one was started by <ClientName of={last.client} />, the newer one by{' '}
          <ClientName of={last.superseded_by_client} />.
        </Trans>
      )}{' '}
      {t`Stop one of them, or give each an app of its own.`}
    </Alert>
  );
}

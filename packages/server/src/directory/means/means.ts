import type { OrgTx } from '#kit/database.ts';
import type { CallTx, Principal } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import type { GivenMeans } from './acting.ts';
import { insertMeans, noteFormerAdministrators } from './queries/means.ts';

/**
 * The acts that give a person the means to act (D76), written in the transaction of the act: retention and erasure cut the log, not these rows.
 * hands.ts asks them.
 */

/** Everybody who may be behind a call: its person, and the creator of a key that was transferred to them. */
export const callersOf = ({ userId, transferredFrom }: Pick<Principal, 'userId' | 'transferredFrom'>) =>
  transferredFrom == null ? [userId] : [userId, transferredFrom];

type Giving = OrgTx & Pick<CallTx, 'principal'>;

async function give({ principal, ...tx }: Giving, means: readonly GivenMeans[]): Promise<void> {
  if (means.length === 0) return;
  await insertMeans(tx, means, { givers: callersOf(principal), through: principal.provider ?? null });
}

/** Records that the caller gave a person the means to act. */
export const recordMeans = (
  tx: Giving,
  kind: 'sign_in_link' | 'factor' | 'deputy' | 'key',
  receiver: string,
): Promise<void> => give(tx, [{ kind, receiver, provider: null }]);

/** Records that the caller created or changed a sign-in provider. */
export const recordProviderChange = (tx: Giving, provider: string): Promise<void> =>
  give(tx, [{ kind: 'provider', receiver: null, provider }]);

/** A people hook: records who was created, got a privileged role or another email, and who is no longer an administrator. */
export async function recordMeansOfPeople(tx: CallTx, events: readonly NewEvent[]): Promise<void> {
  const means = events.flatMap((event): GivenMeans[] => {
    const kinds = kindsOf(event);
    return kinds.map((kind) => ({
      kind,
      receiver: (event.subject as { uuid: string }).uuid,
      provider: null,
    }));
  });
  await give(tx, means);
  const demoted = events.flatMap((event) =>
    event.type === 'role.changed' && ADMINISTRATORS.includes(event.payload.from)
      ? [event.payload.user_id]
      : [],
  );
  const deactivated = events.flatMap((event) =>
    event.type === 'user.deactivated' ? [event.payload.user_id] : [],
  );
  if (demoted.length + deactivated.length > 0) await noteFormerAdministrators(tx, { demoted, deactivated });
}

const ADMINISTRATORS: readonly string[] = ['owner', 'admin'];

function kindsOf(event: NewEvent): ('person' | 'role' | 'email')[] {
  if (event.type === 'user.created') return event.payload.role === 'member' ? ['person'] : ['person', 'role'];
  if (event.type === 'role.changed') return event.payload.to === 'member' ? [] : ['role'];
  const isMoved =
    event.type === 'user.updated' && event.payload.changes.some(({ field }) => field === 'email');
  return isMoved ? ['email'] : [];
}

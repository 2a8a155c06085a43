import { visibleAssignment } from '../fulfilment/tasks.ts';
import type { Principal } from '../identity/principal.ts';
import type { Db } from '../platform/database/open.ts';
import { DomainError } from '../platform/errors.ts';
import { requireAccessibleTicket } from '../requests/tickets.ts';
import { approversWaitedFor } from '../requests/waiting.ts';
import { getCycle } from '../reviews/cycles.ts';
import type { About } from './draft.ts';
import type { KindName } from './kinds.ts';
import type { PersonFacts } from './queries/facts.ts';

const FOR_APPROVERS: readonly KindName[] = ['request_waiting', 'request_reassigned', 'request_reminder'];

export interface Item {
  kind: KindName;
  about_type: About['type'] | null;
  about_id: string | null;
}

/** Returns why a person does not get a notification now, or null if they do. */
export async function reasonAgainst(
  db: Db,
  orgId: string,
  person: PersonFacts,
  { kind, about_type, about_id }: Item,
): Promise<string | null> {
  if (!(await mayRead(db, orgId, person, about_type, about_id)))
    return 'The person no longer has access to it.';
  if (about_id === null || !FOR_APPROVERS.includes(kind)) return null;
  const waited = await approversWaitedFor(db, orgId, about_id);
  return waited.some(({ userId }) => userId === person.id) ? null : 'It no longer waits for this person.';
}

async function mayRead(
  db: Db,
  orgId: string,
  { id, role }: PersonFacts,
  type: Item['about_type'],
  about: string | null,
): Promise<boolean> {
  if (type === null) return true;
  if (role !== 'member') return true;
  if (about === null) return false;
  const principal: Principal = {
    orgId,
    orgSlug: '',
    keyId: null,
    sessionId: null,
    userId: id,
    role,
    scopes: new Set(),
    apps: 'all',
  };
  try {
    if (type === 'ticket') await requireAccessibleTicket(db, principal, about);
    else if (type === 'task') await visibleAssignment(db, principal, about);
    else if (type === 'cycle') await getCycle(db, principal, about);
    else return false;
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

import { isTicketVisibleTo } from '../../decisions/requests/tickets.ts';
import { isCycleVisibleTo } from '../../decisions/reviews/cycles.ts';
import type { OrgDb } from '../../kit/database/organization.ts';
import { isTaskVisibleTo } from '../../work/fulfillment/tasks.ts';
import type { About } from './draft.ts';
import type { KindName } from './kinds.ts';
import { ownerOf, type PersonFacts } from './queries/facts.ts';
import { stillWaits } from './still-waits.ts';

export interface Item {
  kind: KindName;
  about_type: About['type'] | null;
  about_id: string | null;
  dedupe_key: string;
}

/** Returns why a person does not get a notification now, or null if they do. */
export async function reasonAgainst(
  db: OrgDb,
  person: PersonFacts,
  { kind, about_type, about_id, dedupe_key: key }: Item,
): Promise<string | null> {
  if (!(await mayRead(db, person, about_type, about_id))) return 'The person no longer has access to it.';
  const waits = await stillWaits(db, person, { kind, key, about: about_id });
  return waits ? null : 'It no longer waits for this person.';
}

async function mayRead(
  db: OrgDb,
  { id, role }: PersonFacts,
  type: Item['about_type'],
  about: string | null,
): Promise<boolean> {
  if (type === null) return true;
  if (role !== 'member') return true;
  if (about === null) return false;
  const member = { orgId: db.orgId, userId: id };
  switch (type) {
    case 'ticket':
      return isTicketVisibleTo(db, about, id);
    case 'task':
      return isTaskVisibleTo(db.db, member, about);
    case 'cycle':
      return isCycleVisibleTo(db.db, member, about);
    case 'app':
      return (await ownerOf(db, about))?.id === id;
    default:
      return false;
  }
}

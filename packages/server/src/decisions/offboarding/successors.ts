import { nomineeOf } from '#directory/deciders/hand-over.ts';
import type { OrgDb } from '#kit/database.ts';
import { offboardRefusals } from './sentences.ts';

/** The things that a person who leaves can hand over: each to one person, or to nobody (null). */
export const HANDED_OVER = ['accounts', 'apps', 'reports', 'decisions'] as const;
export type Successors = Record<(typeof HANDED_OVER)[number], string | null>;

/** Returns the ids of the successors. 404 for an unknown person, and 409 for one who cannot take over. */
export async function successorsOf(db: OrgDb, leaverId: string, wanted: Partial<Successors>) {
  const ids: Successors = { accounts: null, apps: null, reports: null, decisions: null };
  for (const field of HANDED_OVER) {
    const id = wanted[field];
    if (id == null) continue;
    const { id: found, email, status, role } = await nomineeOf(db, id);
    if (found === leaverId) throw offboardRefusals.successor_leaves({ field });
    if (status !== 'active') throw offboardRefusals.successor_deactivated({ field, email });
    if (role === 'auditor' && field === 'decisions')
      throw offboardRefusals.successor_is_auditor({ field, email });
    ids[field] = found;
  }
  return ids;
}

import type { OrgTx } from '#kit/database.ts';
import * as queries from './queries/given.ts';

/**
 * Whether access is given or found (D73). Access from a task is given. Access that a sync shows is found, unless a grant was in force
 * or owed in the meantime: the reasons of access, which stand above, say so after each publication.
 */
export async function judgeFound(
  tx: OrgTx,
  {
    given,
    found,
  }: { given: readonly { account_id: string; entitlement_id: string }[]; found: readonly string[] },
): Promise<void> {
  if (given.length > 0) await queries.markGiven(tx, given);
  if (found.length > 0) await queries.markFound(tx, found);
}

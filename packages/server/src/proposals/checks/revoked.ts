import { revokedFrom } from '#reasons/grants/facts.ts';
import type { RevokedEntry } from '#reasons/grants/grant.ts';
import { type Change, gives } from '../change.ts';
import type { Check, Judged } from './check.ts';

/** The revocation of a person stands against policies and roles: they do not give the access again to this person (D73). */
export const revoked: Check<'revoked'> = {
  concerns: (change) =>
    change.decision.kind === 'policy' && gives(change) && change.action !== 'unsuspend_account',
  async judge(db, changes) {
    const entries = new Map<string, RevokedEntry>();
    for (const id of new Set(changes.map(({ decision }) => decision.id as string)))
      for (const entry of await revokedFrom(db, id))
        for (const subject of [entry.user_id, entry.account_id])
          if (subject !== null) entries.set(keyOf(id, subject, entry.app_id, entry.entitlement_id), entry);
    if (entries.size === 0) return [];
    /** An entry about the former person of an account does not count. */
    const entryOf = ({ decision, user, account, app }: Change, part: string | null) => {
      const of = (subject: string | undefined) =>
        subject === undefined ? undefined : entries.get(keyOf(decision.id, subject, app.id, part));
      const entry = of(user?.id) ?? of(account?.id);
      return entry?.user_id == null || user === null || entry.user_id === user.id ? entry : undefined;
    };
    return changes.flatMap((change, index): Judged<'revoked'>[] => {
      const whole = change.action === 'create_account' ? entryOf(change, null) : undefined;
      if (whole !== undefined) return [{ index, part: null, result: whole }];
      return change.add.flatMap(({ entitlement_id: part }) => {
        const result = entryOf(change, part);
        return result === undefined ? [] : [{ index, part, result }];
      });
    });
  },
};

const keyOf = (decision: string | null, subject: string, appId: string, entitlementId: string | null) =>
  `${decision} ${subject} ${appId} ${entitlementId}`;

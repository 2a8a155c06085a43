import { accountExists, accounts } from '#inventory/records/accounts/facts.ts';
import { statusesBegunBy } from '#inventory/records/history/presence-facts.ts';
import type { OrgTx } from '#kit/database.ts';
import { run, sql } from '#kit/sql.ts';
import { isOpen } from '../facts.ts';

/** The assignments that end a suspension because a sync shows its account active. */
const endedByApp = (sessionId: string | null) => sql`
  ended_at = clock_now(), end_recorded_at = clock_now(), ended_kind = 'app', ended_source = ${sessionId}::uuid, ended_label = ''`;

/** Ends the suspensions of accounts that were suspended and that a session shows in another state. */
export const endActivated = (tx: OrgTx, appId: string, sessionId: string) => run(tx)`
    update suspension s set ${endedByApp(sessionId)}
    from ${statusesBegunBy(tx, sessionId)} b
    where s.org_id = ${tx.orgId} and s.app_id = ${appId} and s.account_id = b.account_id and ${isOpen('s')} and s.since <= clock_now()
      and b.before = 'SUSPENDED' and b.status in ('ACTIVE', 'INVITED')`;

/**
 * Begins a suspension for each account that a session found suspended, and that nobody has suspended. A session begins one once, however
 * many parts it publishes.
 */
export const beginFound = (tx: OrgTx, sessionId: string) => run(tx)`
    insert into suspension (org_id, app_id, account_id, kind, source_id, since, recorded_at)
    select ${tx.orgId}::uuid, b.app_id, b.account_id, 'app', ${sessionId}::uuid, clock_now(), clock_now()
    from ${statusesBegunBy(tx, sessionId)} b
    where b.status = 'SUSPENDED' and not (b.follows and b.before = 'SUSPENDED') and not exists (
      select from suspension s
      where s.org_id = ${tx.orgId} and s.account_id = b.account_id and (${isOpen('s')} or s.kind = 'app' and s.source_id = ${sessionId}))`;

const account = (tx: OrgTx) =>
  sql`${accounts} a where a.org_id = ${tx.orgId} and a.id = s.account_id and ${accountExists('a')}`;

/** Ends what syncs of an app have found, as far as the account is not suspended after a revert. */
export const endReverted = (tx: OrgTx, appId: string) => run(tx)`
    update suspension s set ${endedByApp(null)}
    where s.org_id = ${tx.orgId} and s.app_id = ${appId} and s.kind = 'app' and ${isOpen('s')}
      and not exists (select from ${account(tx)} and a.status = 'SUSPENDED')`;

/** Begins again what syncs of an app have ended, as far as the account is suspended after a revert. */
export const beginReverted = (tx: OrgTx, appId: string) => run(tx)`
    insert into suspension (org_id, app_id, account_id, kind, source_id, label, decided_by, reason, leaving, since, recorded_at)
    select s.org_id, s.app_id, s.account_id, s.kind, s.source_id, s.label, s.decided_by, s.reason, s.leaving, clock_now(), clock_now()
    from suspension s
    where s.org_id = ${tx.orgId} and s.app_id = ${appId} and s.ended_kind = 'app' and s.ended_at = (
        select max(o.ended_at) from suspension o where o.org_id = ${tx.orgId} and o.account_id = s.account_id)
      and exists (select from ${account(tx)} and a.status = 'SUSPENDED')
      and not exists (
        select from suspension o where o.org_id = ${tx.orgId} and o.account_id = s.account_id and ${isOpen('o')})`;

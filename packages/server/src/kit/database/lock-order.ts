// The order in which transactions lock rows: the only place that states it. `npm run docs` draws it in ARCHITECTURE.md, and the tests on
// PostgreSQL compare each transaction of the server with it (test/lock-recorder.ts).

/**
 * The tables whose rows one transaction locks while another may wait for them, from the first on, each with what its lock is for. A
 * transaction locks its first row of a table before its first row of a later one. Rows of all other tables belong to one of
 * these or to one feature.
 */
export const LOCK_ORDER: Record<string, string> = {
  organization: 'changes of people, and of what has a limit, take turns',
  app: 'a publication locks it; tasks that change its accounts share the lock',
  sync_session: 'a session is published, confirmed or ended once',
  platform_user: 'decisions about the accounts of a person take turns',
  account: 'tasks of an account take turns',
  membership: 'an account gains or loses an entitlement',
  task: 'a task is reported, canceled or retried once',
  removal_budget: "two decisions cannot both use what is left of an app's budget",
  event_head: 'events have positions without gaps, in the order of commits',
};

/** Functions that lock a table after a later one. */
interface LateLock {
  by: string[];
  locks: string;
  after: string;
  reason: string;
}

/** The exceptions from the order, each with the reason why no deadlock follows, or why it is rare. */
export const LATE_LOCKS: LateLock[] = [
  {
    by: ['grantMemberships', 'revokeMemberships', 'revokeAllMemberships', 'mergeDuplicates'],
    locks: 'membership',
    after: 'task',
    reason:
      'A task is known to be pending before its effect is applied. The locks of its app and account keep other changes of these memberships out.',
  },
  {
    by: ['insertFirstAdministrator'],
    locks: 'platform_user',
    after: 'event_head',
    reason:
      'The log of a new organization begins before its first event. Nobody sees the organization before the commit.',
  },
];

/** Accounts deleted, suspended or missing from a sync, and memberships removed. */
export interface Losses {
  accounts: number;
  memberships: number;
}

/** The losses that a sync causes. `suspended` of its accounts still exist. */
export interface SyncLosses extends Losses {
  suspended: number;
}

/** The losses of an app in the last 24 hours, and those that its open tasks are about to cause. */
export interface Used extends Losses {
  /** The part of them that no longer exists in the inventory. */
  gone: Losses;
}

/** The losses that a task will cause. */
export interface TaskLosses extends Losses {
  task_id: string;
  app_id: string;
}

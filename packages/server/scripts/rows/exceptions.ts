// Exceptions from the check of rows (ADR 24), with reasons. Entries that are no longer needed fail it.

/** Columns that can be null in their table, but never in the rows that a statement reads without a condition on them. */
export const NEVER_NULL: Record<string, string> = {
  'hold_window.decided_by': 'Set together with decided_at, which the statement requires.',
  'hold_window.decision': 'Set together with decided_at, which the statement requires.',
  'organization.sealed_sign_in_secret':
    'The server seals the secrets of all organizations before it listens.',
  'platform_user.merge_result': 'Set together with merged_into, which the rule has read.',
  'policy_firing.confirmed_by': 'Set together with confirmed_at, which the statement requires.',
  'review_cycle.settings': 'Set together with begun_at, which the statements require.',
  'review_item.decided_at': 'Set together with the decision, which the statement requires.',
  'saved_query.every': 'Set together with next_run_at, which the statement requires.',
  'saved_query.hour': 'Set together with next_run_at, which the statement requires.',
  'sign_in_passkey.created_at': 'Has a default, and better-auth never clears it.',
  'sign_in_session.method': 'Set together with signed_in_at, which the statements require.',
  'task.retry_of': 'The statement that returns it sets it to the task whose place a new one takes.',
  'task.source_id': 'A task with the source type policy has the id of the policy.',
  'webhook.previous_valid_until': 'The statement that returns it sets it to a time.',
  'upload.content': 'Set when the file has been received. Nobody learns the id of an upload before that.',
  'upload.sha256': 'Set when the file has been received. Nobody learns the id of an upload before that.',
};

/** Files of statements that no test of `npm test` runs, with the largest number of them. */
export const NOT_RUN: Record<string, { statements: number; reason: string }> = {
  'src/kit/database/clock.ts': { statements: 1, reason: 'It runs on a cluster only.' },
  'src/kit/database/queries/replica.ts': {
    statements: 4,
    reason: 'They run on a node with a replica only, in the part long.',
  },
  'src/operate/cluster/queries/cluster.ts': {
    statements: 9,
    reason: 'They read tables of Citus. cluster.test.ts runs them on a cluster.',
  },
};

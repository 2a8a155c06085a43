import type { OrgTx } from '#kit/database.ts';
import { run } from '#kit/sql.ts';

/** Deletes the archived apps and the review of the sample company, with all rows that belong to them. */
export const deleteSample = (tx: OrgTx, apps: readonly string[], review: string | null): Promise<void> =>
  run(tx)`select delete_sample(${tx.orgId}, ${[...apps]}::uuid[], ${review}::uuid)`;

import type { OrgDb } from '#kit/database.ts';

/** A decision because of which an account of a person is suspended. */
export interface SuspendedAccount {
  account: string;
  email: string;
  app: { id: string; name: string };
  source: { kind: 'manual' | 'review' | 'policy' | 'app'; external_uuid: string | null; label: string };
  reason: string | null;
}

/** Reads the suspensions that stay in force when a person is active again. Provisioning is a higher feature, so app.ts passes this in. */
export type ReadStillSuspended = (db: OrgDb, userId: string) => Promise<SuspendedAccount[]>;

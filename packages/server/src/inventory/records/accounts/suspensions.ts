import type { OrgDb } from '#kit/database.ts';
import type { Call } from '#kit/identity.ts';
import type { ReadGrants } from './reasons.ts';

/** Reads the suspensions in force of accounts, by account. Suspensions are a higher feature, so app.ts passes this in. */
export type ReadSuspensions = (
  db: OrgDb,
  accountIds: readonly string[],
  isMember: boolean,
) => Promise<Map<string, AccountSuspension[]>>;

interface AccountSuspension {
  external_uuid: string;
  kind: 'manual' | 'review' | 'policy' | 'app';
  label: string | null;
  leaving: boolean;
  since: Date;
}

/** Adds the suspensions in force to accounts. */
export async function withSuspensions<Account extends { external_uuid: string }>(
  call: Call,
  read: ReadSuspensions,
  accounts: readonly Account[],
): Promise<(Account & { suspensions: AccountSuspension[] })[]> {
  const isMember = call.principal.role === 'member';
  const found = await read(
    call,
    accounts.map(({ external_uuid }) => external_uuid),
    isMember,
  );
  return accounts.map((account) => ({ ...account, suspensions: found.get(account.external_uuid) ?? [] }));
}

/** The ways in which accounts get the reasons that features above know. */
export interface ReadReasons {
  readGrants: ReadGrants;
  /** Absent: suspensions are not shown. */
  readSuspensions?: ReadSuspensions;
}

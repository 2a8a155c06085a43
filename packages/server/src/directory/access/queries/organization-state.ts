import type { Db, OrgTx, Tx } from '#kit/database.ts';
import { one, run, value, values } from '#kit/sql.ts';
import { type OrganizationState, stateColumns } from '../organization-facts.ts';

/** Returns undefined if an organization with this slug exists. */
export const insertOrganization = (tx: Tx, slug: string, name: string) => value<string | undefined>(tx)`
    insert into organization (slug, name) values (${slug}, ${name}) on conflict (slug) do nothing returning id`;

/** Stores an organization's encrypted sign-in secret, and removes the one in plain text. */
export const setSignInSecret = (tx: OrgTx, sealed: string) => run(tx)`
    update organization set sealed_sign_in_secret = ${sealed}, sign_in_secret = null
    where id = ${tx.orgId}`;

/** Returns the organizations whose sign-in secret an earlier version stored in plain text. */
export const organizationsWithPlainSecret = (db: Db) => values<string>(db)`
    select id from organization where sign_in_secret is not null order by id`;

/** Locks an organization whose sign-in secret is stored in plain text, and returns the secret. */
export const lockPlainSecret = (tx: OrgTx) => value<string | undefined>(tx)`
    select sign_in_secret from organization where id = ${tx.orgId} and sign_in_secret is not null
    for update`;

/** Locks an organization until `tx` ends. */
export const lockOrganization = (tx: Tx, slug: string) => one<OrganizationState>(tx)`
    select ${stateColumns} from organization where slug = ${slug} for no key update`;

export type ChangeableState = Pick<OrganizationState, 'suspended_at' | 'suspended_reason' | 'delete_after'>;

export const setState = (tx: OrgTx, { suspended_at, suspended_reason, delete_after }: ChangeableState) => run(
  tx,
)`
    update organization set suspended_at = ${suspended_at}, suspended_reason = ${suspended_reason},
      delete_after = ${delete_after}
    where id = ${tx.orgId}`;

export const deleteOrganization = (tx: OrgTx) => run(tx)`delete from organization where id = ${tx.orgId}`;

export const setHistoryDays = (db: Db, id: string, days: number | null) =>
  run(db)`update organization set history_days = ${days} where id = ${id}`;

export const setConnectorNetworks = (db: Db, id: string, networks: string[] | null) =>
  run(db)`update organization set connector_networks = ${networks} where id = ${id}`;

import { everywhere } from '../../database/cluster.ts';
import type { Db } from '../../database/open.ts';
import type { OrgDb, OrgTx } from '../../database/organization.ts';
import { many, one, run, values } from '../../database/statements.ts';

/** A data key as stored: encrypted with the secret key `wrapped_by`. */
export interface WrappedKey {
  id: string;
  wrapped: Uint8Array;
  wrapped_by: string;
}

export const latestDataKey = (db: OrgDb) => one<WrappedKey>(db)`
    select id, wrapped, wrapped_by from data_key where org_id = ${db.orgId} order by id desc limit 1`;

export const findDataKey = (db: OrgDb, id: string) => one<WrappedKey>(db)`
    select id, wrapped, wrapped_by from data_key where org_id = ${db.orgId} and id = ${id}`;

export const insertDataKey = (db: OrgDb, { id, wrapped, wrapped_by }: WrappedKey) => run(db)`
    insert into data_key (org_id, id, wrapped, wrapped_by)
    values (${db.orgId}, ${id}, ${wrapped}, ${wrapped_by})`;

/** Returns the ids of the secret keys that are needed to read the database. */
export const secretKeysInUse = (db: Db) =>
  values<string>(everywhere(db))`select distinct wrapped_by from data_key order by 1`;

/** Returns the organizations with data keys that another secret key than `current` has encrypted. */
export const organizationsToRewrap = (db: Db, current: string) => values<string>(everywhere(db))`
    select distinct org_id from data_key where wrapped_by <> ${current} order by 1`;

/** Locks an organization's data keys that another secret key than `current` has encrypted. */
export const lockKeysToRewrap = (tx: OrgTx, current: string) => many<WrappedKey>(tx)`
    select id, wrapped, wrapped_by from data_key where org_id = ${tx.orgId} and wrapped_by <> ${current}
    order by id for update`;

export const updateDataKey = (tx: OrgTx, { id, wrapped, wrapped_by }: WrappedKey) => run(tx)`
    update data_key set wrapped = ${wrapped}, wrapped_by = ${wrapped_by}
    where org_id = ${tx.orgId} and id = ${id}`;

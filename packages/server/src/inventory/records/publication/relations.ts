import type { RawBuilder } from '#kit/sql.ts';
import { DETAIL_TYPES } from '../accounts/detail-facts.ts';
import { difference } from './differences.ts';
import {
  accountChange,
  membership,
  type Relation,
  type RelationScope,
  relation,
} from './queries/relations.ts';

/** The sync session that is being published. */
export interface Scope extends RelationScope {
  appId: string;
  sessionId: string;
}

/** The start of the session as an SQL expression. A removal keeps records that a task has touched since then (D16). */
export type StartedAt = RawBuilder<unknown>;

// Filled by sync from the session's pages: the last push of each record (D17).

/** `page` and `place` say where the record was pushed. `digest` is null if the page has none. */
const accountRecord = {
  resource_type_id: 'uuid not null',
  external_id: 'text collate "C" not null',
  page: 'bigint not null',
  place: 'integer not null',
  digest: 'uuid',
} as const;

/** All pushed accounts. */
export const stagedRecord = relation('staged_record', accountRecord);

/** The pushed accounts that the inventory has as they were pushed, with all their memberships (ADR 14). */
export const unchangedAccount = relation('unchanged_account', {
  account_id: 'uuid not null',
  page: 'bigint not null',
  place: 'integer not null',
});

/** The other pushed accounts. */
export const changedRecord = relation('changed_record', accountRecord);

/** The accounts of `changedRecord`, with their fields. */
export const stagedAccount = relation('staged_account', {
  resource_type_id: 'uuid not null',
  external_id: 'text collate "C" not null',
  email: 'text not null',
  username: 'text not null',
  first_name: 'text not null',
  last_name: 'text not null',
  display_name: 'text not null',
  status: 'text not null',
  page: 'bigint not null',
  place: 'integer not null',
});

/** Pushed entitlements, and placeholders (`pushed` is false) for those that accounts only refer to (D18). */
export const stagedEntitlement = relation('staged_entitlement', {
  resource_type_id: 'uuid not null',
  external_id: 'text collate "C" not null',
  name: 'text not null',
  description: 'text not null',
  max_count: 'bigint',
  used_count: 'bigint',
  is_paid: 'boolean',
  is_unlimited: 'boolean',
  risk: 'text',
  owner_email: 'text',
  pushed: 'boolean not null',
});

/** A reference from the account at `page` and `place` to a group or a license, and to what gives it (D68). */
export const stagedReference = relation('staged_reference', {
  page: 'bigint not null',
  place: 'integer not null',
  resource_type_id: 'uuid not null',
  external_id: 'text collate "C" not null',
  name: 'text',
  via_type_id: 'uuid',
  via_external_id: 'text collate "C"',
});

// The staged accounts and references, with the ids of the inventory.

/** `unchanged` marks those of `unchangedAccount`: their references are not staged. */
export const pushedAccount = relation('pushed_account', {
  account_id: 'uuid not null',
  page: 'bigint not null',
  place: 'integer not null',
  unchanged: 'boolean not null',
});

/** `via_id` is what gives it. Null: it was given directly. */
export const pushedMembership = relation('pushed_membership', { ...membership, via_id: 'uuid' });

// Changes.

/**
 * Accounts that the publication inserted (`old_status` is null) or updated. `email_changed`: the email of the record has become another
 * one (D83).
 */
export const changedAccount = relation('changed_account', {
  ...accountChange,
  email_changed: 'boolean not null',
});

/** New details of accounts, which differ from those in the inventory (D54). */
export const changedDetail = relation('changed_detail', {
  account_id: 'uuid not null',
  ...DETAIL_TYPES,
  digest: 'uuid not null',
});

/**
 * Accounts whose kind or owner follows from the pushed owner, if that, or the email from which the owner follows, has changed. Null
 * for `named_email`: the email is nobody's.
 */
export const changedOwner = relation('changed_owner', {
  account_id: 'uuid not null',
  old_kind: 'text not null',
  new_kind: 'text not null',
  old_owner: 'uuid',
  new_owner: 'uuid',
  named_email: 'text',
});

/** Accounts whose pushed status ends their access. The removal guard decides before they are published (D24a). */
export const endedAccess = relation('ended_access', {
  account_id: 'uuid not null',
  /** The present status. */
  former: 'text not null',
  /** The pushed one. */
  status: 'text not null',
});

export const addedMembership = relation('added_membership', membership);

/** Memberships that a pushed account no longer has. A completion deletes them immediately, or plans it if the removal is held. */
export const droppedMembership = relation('dropped_membership', membership);

/** Groups and licenses with members that the connector may not read (D81). */
export const unreadableEntitlement = relation('unreadable_entitlement', { entitlement_id: 'uuid not null' });

/** Memberships of them that stay although their accounts were pushed without them. */
export const keptMembership = relation('kept_membership', membership);

export const removedAccount = relation('removed_account', accountChange);

export const removedMembership = relation('removed_membership', membership);

// What a publication would do (preview.ts).

/** Pending accounts, with the ids under which they were pushed. */
export const adoptedAccount = relation('adopted_account', {
  account_id: 'uuid not null',
  resource_type_id: 'uuid not null',
  external_id: 'text collate "C" not null',
});

/** The pushed accounts. `account_id` is null for those that do not exist yet. */
export const plannedAccount = relation('planned_account', {
  account_id: 'uuid',
  page: 'bigint not null',
  place: 'integer not null',
  unchanged: 'boolean not null',
});

/** All entitlements of the app as they would be. `entitlement_id` is null for those that do not exist yet. */
export const plannedEntitlement = relation('planned_entitlement', {
  entitlement_id: 'uuid',
  resource_type_id: 'uuid not null',
  external_id: 'text collate "C" not null',
  name: 'text not null',
});

/** Accounts that were not pushed. */
export const staleAccount = relation('stale_account', { account_id: 'uuid not null' });

export const lostMembership = relation('lost_membership', membership);

export const plannedDifference = relation('planned_difference', difference);

/** A relation of pushed accounts. */
export type AccountRecords = Relation<string, typeof accountRecord>;

/** A relation of changed accounts, for the events. */
export type AccountChanges = Relation<string, typeof accountChange>;

/** A relation of added or removed memberships, for the events. */
export type MembershipChanges = Relation<string, typeof membership>;

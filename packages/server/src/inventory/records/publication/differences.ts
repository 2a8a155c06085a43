import type { Columns } from './queries/relations.ts';

/**
 * The columns of a difference: an account, a membership or a resource (a group or a license) that a publication creates,
 * changes or removes. Queries select them in this order.
 */
export const difference = {
  /** account, membership or resource. */
  type: 'text not null',
  /** created, changed or removed; added or removed for memberships. */
  change: 'text not null',
  /** Null for accounts that do not exist yet. */
  account_id: 'uuid',
  /** The slug of the account's resource type. */
  account_type: 'text',
  external_id: 'text collate "C"',
  email: 'text',
  display_name: 'text',
  user_id: 'uuid',
  slug: 'text',
  /** group or license. */
  kind: 'text',
  /** The resource's id in the external system. */
  resource_id: 'text collate "C"',
  resource_name: 'text',
  /** The state of an account or a resource. Null where it does not exist. */
  before: 'jsonb',
  after: 'jsonb',
} as const satisfies Columns;

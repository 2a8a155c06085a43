import { type Static, Type } from 'typebox';
import { AppReference } from '#inventory/apps/reference.ts';
import { Resource } from '#inventory/records/accounts/resource-schemas.ts';
import { Component, Nullable, Timestamp } from '#kit/schemas.ts';

export const UNUSED_DAYS = 90;
/** The accounts of larger groups are not looked through for a list. */
export const MOST_LOOKED_THROUGH = 5000;

/** A group or a license, with its app and what is known of its accounts. */
export const Entitlement = Component('Entitlement', {
  ...Resource.properties,
  app: AppReference,
  leavers: Nullable(
    Type.Integer({
      description: 'How many of its accounts belong to users who have left. null with `as_of`.',
    }),
  ),
  unused: Nullable(
    Type.Integer({
      description: `How many of its accounts were not used for ${UNUSED_DAYS} days. null if the app does not say when accounts are used, in a list for more than ${MOST_LOOKED_THROUGH} accounts, and with \`as_of\`.`,
    }),
  ),
  reviewed_at: Nullable({
    ...Timestamp,
    description:
      'When somebody last decided in an access review whether an account keeps it. null if nobody has, and with `as_of`.',
  }),
});
export type Entitlement = Static<typeof Entitlement>;

export const SORTS = [
  'name',
  '-name',
  'app',
  '-app',
  'risk',
  '-risk',
  'members',
  '-members',
  'reviewed',
  '-reviewed',
] as const;
export type EntitlementSort = (typeof SORTS)[number];

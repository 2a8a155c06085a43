import { Type } from 'typebox';
import { Component, Nullable, Uuid } from '#kit/schemas.ts';
import { giver } from '#log/events/payloads.ts';

/** The group or license that gives access. */
export const Giver = Component('Giver', giver.properties);

/** An account, group or license in brief. */
export const AccountSummary = Component('AccountSummary', {
  id: Uuid,
  email: Type.String(),
  display_name: Type.String(),
  external_id: Nullable(Type.String()),
});
export const EntitlementSummary = Component('EntitlementSummary', {
  type: Type.Enum(['group', 'license']),
  slug: Type.String(),
  id: Type.String(),
  name: Type.String(),
});

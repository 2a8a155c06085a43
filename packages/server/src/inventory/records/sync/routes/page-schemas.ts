import { Type } from 'typebox';
import { Component, MapOf, Nullable } from '../../../../kit/http/schemas.ts';

const Text = Type.String({ minLength: 1, maxLength: 512 });
const MaybeText = Type.Optional(Nullable(Type.String({ maxLength: 512 })));
const Via = Component(
  'PushedGiver',
  { slug: Text, id: Text },
  { description: 'The other group or license that gives this one. Without it, it was given directly.' },
);
const Refs = Type.Optional(
  Nullable(
    MapOf(
      Type.Array(
        Component('PushedEntitlement', { id: Text, name: MaybeText, via: Type.Optional(Nullable(Via)) }),
        {
          maxItems: 100,
        },
      ),
    ),
  ),
);
const Account = Component('PushedAccount', {
  id: Text,
  email: MaybeText,
  username: MaybeText,
  first_name: MaybeText,
  last_name: MaybeText,
  display_name: MaybeText,
  status: Type.Optional(Type.Enum(['active', 'inactive', 'suspended'])),
  last_sign_in_at: Type.Optional(
    Nullable(Type.String({ format: 'date-time', description: 'When the account was last used.' })),
  ),
  owner: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 512,
        description: 'Email of the person who is responsible for a service or shared account.',
      }),
    ),
  ),
  is_own: Type.Optional(
    Nullable(
      Type.Boolean({
        description: 'Whether the connector signs in with this account. No task suspends or deletes it.',
      }),
    ),
  ),
  attributes: Type.Optional(
    Nullable(
      MapOf(Type.Union([Type.String({ maxLength: 512 }), Type.Number(), Type.Boolean()]), {
        description: 'Further fields: at most 50, with names of 1 to 100 characters.',
      }),
    ),
  ),
  memberships: Refs,
  assignments: Refs,
});
const Group = Component('PushedGroup', {
  id: Text,
  name: Text,
  description: Type.Optional(Nullable(Type.String())),
  risk: Type.Optional(Nullable(Type.Enum(['low', 'medium', 'high']))),
  owner: Type.Optional(
    Nullable(
      Type.String({ maxLength: 512, description: 'Email of the person who is responsible for the group.' }),
    ),
  ),
});
const License = Component('PushedLicense', {
  id: Text,
  name: Text,
  description: Type.Optional(Nullable(Type.String())),
  max_count: Type.Optional(
    Nullable(Type.Integer({ minimum: 0, description: 'Maximum seats; 0 means unlimited.' })),
  ),
  used_count: Type.Optional(Nullable(Type.Integer({ minimum: 0 }))),
  is_paid: Type.Optional(Nullable(Type.Boolean())),
  is_unlimited: Type.Optional(Nullable(Type.Boolean())),
});

export const PageBody = Component('RecordPage', {
  records: Type.Array(Type.Union([Account, Group, License]), { maxItems: 100 }),
});

export const PageReply = Component('PushedPage', {
  total: Type.Integer(),
  created: Type.Integer(),
  updated: Type.Integer(),
});

import { Type } from 'typebox';
import { Component, MapOf, Nullable } from '#kit/schemas.ts';
import { ACCOUNT_FIELDS, GROUP_FIELDS, LICENSE_FIELDS } from '../../../../../../protocol/src/records.ts';
import { fieldSchema, pushedSchemas } from '../../accounts/field-schemas.ts';

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
  ...pushedSchemas(ACCOUNT_FIELDS),
  status: Type.Optional(fieldSchema(ACCOUNT_FIELDS.status)),
  memberships: Refs,
  assignments: Refs,
});
const Group = Component('PushedGroup', pushedSchemas(GROUP_FIELDS));
const License = Component('PushedLicense', pushedSchemas(LICENSE_FIELDS));

export const PageBody = Component('RecordPage', {
  records: Type.Array(Type.Union([Account, Group, License]), { maxItems: 100 }),
});

export const PageReply = Component('PushedPage', {
  total: Type.Integer(),
  created: Type.Integer(),
  updated: Type.Integer(),
});

import { type Static, Type } from 'typebox';
import { Component, Nullable } from '#kit/schemas.ts';

/** The report on what the connector of an app cannot see (D81). */

export const UnseenRule = Type.Enum(['range', 'filter', 'class', 'foreign', 'computed', 'unreadable'], {
  title: 'UnseenRule',
  description:
    'range, filter: outside of what the settings ask for. class: not an account, such as a computer. foreign: of another system or domain. computed: the system computes it. unreadable: the connector may not read it.',
});

const MOST = 1_000_000_000;
const Entry = {
  slug: Type.String({ minLength: 1, maxLength: 64, description: 'The slug of a resource type of the app.' }),
  rule: UnseenRule,
  count: Type.Integer({ minimum: 1, maximum: MOST }),
};
const ID =
  'A group or a license: the count is of its members or holders. null: the count is of records of the resource type.';

/** An entry as connectors report it. */
export const ReportedUnseen = Component('ReportedUnseen', {
  ...Entry,
  id: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 512, description: ID }))),
});

export const Unseen = Component('Unseen', { ...Entry, id: Nullable(Type.String({ description: ID })) });
export type Unseen = Static<typeof Unseen>;

export const UnseenCounts = Component(
  'UnseenCounts',
  { records: Type.Integer({ minimum: 0 }), members: Type.Integer({ minimum: 0 }) },
  { description: 'The sums of `unseen`: records of resource types, and members of groups and licenses.' },
);
export type UnseenCounts = Static<typeof UnseenCounts>;

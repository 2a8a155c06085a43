import { Type } from 'typebox';
import { Component, Nullable } from '#kit/schemas.ts';
import { USER_NAME_SOURCES } from './rule.ts';

/** A rule for user names in a request. */
export const UserNameRule = Component('UserNameRule', {
  from: {
    ...Type.Enum([...USER_NAME_SOURCES]),
    description: "The person's user name, one of their attributes, or a template.",
  },
  attribute: Type.Optional(
    Nullable(Type.String({ maxLength: 255, description: 'The attribute, for from: attribute.' })),
  ),
  template: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 2000,
        description:
          'For from: template. A text in CEL with the variables user and number, and the functions part, cut, ascii and lower.',
      }),
    ),
  ),
});

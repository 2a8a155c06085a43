import { Type } from 'typebox';
import { PersonEmail, PersonReference } from '#directory/people/reference.ts';
import { belowApp } from '#inventory/apps/routes/below-app.ts';
import { userNameRule } from '#inventory/apps/user-names/rule.ts';
import { UserNameRule } from '#inventory/apps/user-names/schema.ts';
import { Component, Nullable, Uuid } from '#kit/schemas.ts';
import { type PreviewedName, previewUserNames } from '../user-names/preview.ts';

const administrators = { access: { scope: 'govern', roles: ['owner', 'admin'], apps: 'listed' } } as const;
const app = belowApp({ tag: 'Apps', reading: administrators, managing: administrators });

const DEFAULT_LIMIT = 10;

const Question = Component('UserNamePreviewQuestion', {
  user_name: Type.Optional(
    Nullable({
      ...UserNameRule,
      description: 'The rule to try. Null: the default. Missing: the rule of the app.',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: DEFAULT_LIMIT })),
});

const Previewed = Component('PreviewedUserName', {
  user: PersonReference,
  name: Type.String({ description: 'The user name that a new account of the person would get.' }),
  taken_by: Nullable(
    Component(
      'UserNameHolder',
      { account: Uuid, user: Nullable(PersonEmail) },
      { description: 'The account that has the first choice, and its person. The name then has a number.' },
    ),
  ),
  fits: Type.Boolean({
    description: 'Whether the system accepts the name, as far as the server knows what it accepts.',
  }),
});

const shown = ({ person, name, takenBy, fits }: PreviewedName) => ({
  user: { external_uuid: person.id, ...person },
  name,
  taken_by:
    takenBy === undefined
      ? null
      : {
          account: takenBy.id,
          user:
            takenBy.user_id === null
              ? null
              : { external_uuid: takenBy.user_id, email: takenBy.user_email ?? '' },
        },
  fits,
});

/** Shows the user names that a rule would give, over real people (D82). */
export const previewUserNamesRoute = app.post(
  'user-name/preview/',
  'Preview the user names of new accounts',
  {
    description:
      'Shows active people, first those who have no account in the app. Changes and reserves nothing.',
    body: Type.Optional(Question),
    reply: Component('UserNamePreview', { results: Type.Array(Previewed) }),
  },
  async ({ call, found, body }) => {
    const { user_name: given, limit = DEFAULT_LIMIT } = body ?? {};
    const rule = given && userNameRule(given);
    const names = await previewUserNames(call, found.id, { rule, limit });
    return { results: names.map(shown) };
  },
);

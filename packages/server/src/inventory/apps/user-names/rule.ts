import { PERSON_FIELDS } from '#directory/people/facts.ts';
import type { Fields } from '#kit/cel-fields.ts';
import { appRefusals } from '../sentences.ts';
import { checkUserNameTemplate } from './template.ts';

export const USER_NAME_SOURCES = ['user_name', 'attribute', 'template'] as const;

/** The rule for the user names of new accounts in an app (D82). */
export interface UserNameRule {
  /** Where the name comes from: the person's user name, one of their attributes, or a template in CEL. */
  from: (typeof USER_NAME_SOURCES)[number];
  /** The name of the attribute. Null for the other sources. */
  attribute: string | null;
  template: string | null;
}

/** A rule as a request has it. */
export interface GivenRule {
  from: UserNameRule['from'];
  attribute?: string | null | undefined;
  template?: string | null | undefined;
}

/** The variables of a template, with their fields. `number` is "" for the first name, then "2", "3" and so on. */
const TEMPLATE_VARIABLES: Fields = { user: PERSON_FIELDS, number: 'other' };

/** Returns a rule from a request. Throws 400 if a part is missing or does not belong to it, or if the template is not valid. */
export function userNameRule({ from, attribute = null, template = null }: GivenRule): UserNameRule {
  const wants = from === 'user_name' ? null : from;
  for (const [name, value] of Object.entries({ attribute, template })) {
    if (name === wants && !value) throw appRefusals.user_name_source_missing({ name });
    if (name !== wants && value !== null) throw appRefusals.user_name_source_not_allowed({ name });
  }
  if (template !== null) checkUserNameTemplate(template, TEMPLATE_VARIABLES);
  return { from, attribute, template };
}

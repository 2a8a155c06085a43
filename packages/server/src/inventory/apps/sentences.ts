import { refusals } from '#kit/errors.ts';

export const appRefusals = refusals({
  forbidden: {
    key_without_app: 'This key does not have access to this app.',
  },
  taken: {
    resource_type_taken: "Resource type ''{slug}'' already exists.",
  },
  invalid: {
    resource_type_field_fixed:
      'The {field} of a resource type cannot change. Omit {field} or send its current value.',
    user_name_source_missing: 'Field required (user_name.{name}): the username comes from it.',
    user_name_source_not_allowed:
      'user_name.{name} is only allowed if user_name.from is {name}. Leave it out.',
  },
});

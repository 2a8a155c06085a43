import { withSpellings } from '../../../../protocol/src/person-attributes.ts';

/** Returns a person as conditions and templates read them: with each attribute under all of its spellings, if they have been loaded. */
export const asRead = <P extends object>(person: P): P =>
  'attributes' in person && typeof person.attributes === 'object' && person.attributes !== null
    ? { ...person, attributes: withSpellings(person.attributes as Record<string, unknown>) }
    : person;

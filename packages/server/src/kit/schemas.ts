import { type Static, type TObjectOptions, type TProperties, type TSchema, Type } from 'typebox';
import { ISSUE_CODES } from './issues.ts';

export const Uuid = Type.String({ format: 'uuid' });
/** A timestamp in a response: a Date in code, ISO 8601 in UTC on the wire (D4). */
export const Timestamp = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });
/** A timestamp in a request: any ISO 8601 text (D4). */
export const Instant = Type.String({ format: 'date-time' });
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
/**
 * An object whose names are free, such as slugs. `Type.Record` would leave values unchecked below a name with a line break, because its
 * pattern for names does not match one.
 */
export const MapOf = <T extends TSchema>(value: T, options: object = {}) =>
  Type.Unsafe<Record<string, Static<T>>>({ type: 'object', additionalProperties: value, ...options });
/** An object with a name of its own among the components of /openapi.json. Validation and serialization ignore the name. */
export const Component = <P extends TProperties>(
  title: string,
  properties: P,
  options: TObjectOptions = {},
) => Type.Object(properties, { ...options, title });
/** The values that the sentence of a `code` names: text, numbers, or sentences of their own (`{code, values, text}`). */
const SentenceValues = MapOf(Type.Unknown(), {
  description: 'The values in the sentence. A value can be a sentence with a code and values of its own.',
});
/** The fields by which clients translate the sentence of another field. `codeAndValues` makes them. */
export const SentenceFields = {
  code: Type.Optional(
    Type.String({ description: 'The code of the sentence. See docs/reference/errors.md.' }),
  ),
  values: Type.Optional(SentenceValues),
};
export const ErrorBody = Component('ApiError', {
  detail: Type.String(),
  ...SentenceFields,
  errors: Type.Optional(
    Type.Array(
      Type.Object({
        path: Type.String(),
        code: Type.Enum(ISSUE_CODES),
        values: Type.Optional(SentenceValues),
        message: Type.String(),
        position: Type.Optional(
          Type.Object(
            { line: Type.Integer(), column: Type.Integer(), offset: Type.Integer() },
            { description: 'The place within a CEL condition. Line and column count from 1.' },
          ),
        ),
      }),
    ),
  ),
});

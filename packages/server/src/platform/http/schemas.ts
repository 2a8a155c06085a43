import { type TSchema, Type } from 'typebox';

export const Uuid = Type.String({ format: 'uuid' });
/** ISO 8601 in UTC (D4). */
export const Timestamp = Type.String({ format: 'date-time' });
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
export const ErrorBody = Type.Object({
  detail: Type.String(),
  errors: Type.Optional(
    Type.Array(Type.Object({ path: Type.String(), code: Type.String(), message: Type.String() })),
  ),
});

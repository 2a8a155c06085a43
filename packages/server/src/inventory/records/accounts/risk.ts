import { type Static, Type } from 'typebox';

/** How much harm the access of a group or license can do. */
export const Risk = Type.Enum(['low', 'medium', 'high']);
export type Risk = Static<typeof Risk>;

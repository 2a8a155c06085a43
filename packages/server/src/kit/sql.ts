// Statements and their parts.

export { type RawBuilder, sql } from 'kysely';
export * from './database/counts.ts';
export * from './database/filters.ts';
export * from './database/foreign-keys.ts';
export * from './database/fragments.ts';
export * from './database/statements.ts';

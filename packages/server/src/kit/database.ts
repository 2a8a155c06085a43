// The part of the database kit that features use. Programs and tests import openDatabase and the like from their files.

export * from './database/clock.ts';
export * from './database/cluster.ts';
export * from './database/database.ts';
export * from './database/hooks.ts';
export * from './database/organization.ts';
export * from './database/partitions.ts';
export * from './database/signals.ts';
export * from './database/sqlstate.ts';
export * from './database/time-limit.ts';
export * from './database/transaction.ts';
export * from './database/with-commit.ts';

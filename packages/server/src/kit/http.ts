// The part of the HTTP kit that routes use. Programs and tests import createHttp and the like from their files.

export * from './http/csv.ts';
export * from './http/errors.ts';
export * from './http/lists.ts';
export * from './http/resource.ts';
export * from './http/route.ts';
export type * from './http/server.ts';
export * from './http/versions.ts';

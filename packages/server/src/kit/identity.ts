// The caller, and for whom the call is.

export * from './identity/call.ts';
export * from './identity/cause.ts';
export * from './identity/key-facts.ts';
export * from './identity/organization-facts.ts';
export * from './identity/person.ts';
export * from './identity/person-facts.ts';
export * from './identity/principal.ts';

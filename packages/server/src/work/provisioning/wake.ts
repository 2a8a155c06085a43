/**
 * Releases tasks that wait for an external id: because the id is now known, or because the account was removed without
 * one. A sync calls it (AccountsHook, wired in app.ts) with the accounts that it changed.
 */
export { wakeTasks } from './queries/update.ts';

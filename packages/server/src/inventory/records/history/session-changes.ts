export { changesOfSession, differencesOfChanges } from './queries/sessions.ts';

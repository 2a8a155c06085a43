export { findOrganization, renameOrganization } from './organization-queries.ts';

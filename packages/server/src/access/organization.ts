export { findOrganization, insertOrganization, renameOrganization } from './organization-queries.ts';

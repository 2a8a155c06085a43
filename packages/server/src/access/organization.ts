export {
  findOrganization,
  insertOrganization,
  type OrganizationView,
  renameOrganization,
} from './organization-queries.ts';

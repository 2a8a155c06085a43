import { Type } from 'typebox';
import { Nullable, Uuid } from '../../../kit/http/schemas.ts';
import { BY_ANYTHING, BY_PERSON, Changes, Count, define, MaybeText, Text, Timestamp } from '../payloads.ts';

const organization = { organization_id: Uuid, slug: Text, name: Text };
/** A file that a person uploaded as a sync of an app, or to import people. */
const spreadsheet = {
  upload_id: Uuid,
  app_id: Nullable(Uuid),
  app_name: MaybeText,
  file_name: Text,
  bytes: Count,
  sha256: Text,
  rows: Nullable(Count),
  sync_id: Nullable(Uuid),
};

/** The organization, its files and keys, and refused calls. */
export const organizationEvents = {
  'organization.created': define('Organization created', ['system'], BY_ANYTHING, organization),
  'organization.updated': define('Organization settings changed', ['system'], BY_PERSON, {
    ...organization,
    changes: Changes,
  }),
  'organization.suspended': define('Organization suspended', ['system'], BY_ANYTHING, {
    ...organization,
    reason: MaybeText,
  }),
  'organization.resumed': define('Organization resumed', ['system'], BY_ANYTHING, organization),
  'organization.deletion_ordered': define('Deletion of the organization ordered', ['system'], BY_ANYTHING, {
    ...organization,
    deleted_after: Timestamp,
  }),
  'organization.deletion_withdrawn': define(
    'Deletion of the organization withdrawn',
    ['system'],
    BY_ANYTHING,
    organization,
  ),
  'secrets.rotated': define('Encryption keys rotated', ['system'], BY_ANYTHING, {
    key_id: Text,
    rewrapped: Count,
  }),
  'spreadsheet.uploaded': define('Spreadsheet uploaded', ['system', 'app'], BY_PERSON, spreadsheet),
  'spreadsheet.applied': define('Spreadsheet applied', ['system', 'app'], BY_PERSON, spreadsheet),
  'spreadsheet.discarded': define('Spreadsheet discarded', ['system', 'app'], BY_PERSON, spreadsheet),
  'export.created': define('Data exported', ['system', 'app'], BY_PERSON, {
    what: Text,
    format: Text,
    rows: Type.Optional(Count),
    cycle_id: Type.Optional(Uuid),
  }),
  'privileged_call.refused': define('Privileged call refused', ['system', 'platform_user'], BY_PERSON, {
    method: Text,
    route: Type.String({ description: 'The address of the request, with placeholders instead of ids.' }),
    status: Type.Enum([401, 403]),
    reason: Text,
    api_key_id: Type.Optional(Nullable(Uuid)),
  }),
};

import { Type } from 'typebox';
import { Nullable, Uuid } from '#kit/schemas.ts';
import {
  BY_ANYTHING,
  BY_PERSON,
  Changes,
  Count,
  define,
  field,
  MaybeText,
  OTHER,
  optional,
  Text,
  Timestamp,
} from '../payloads.ts';

const organization = {
  organization_id: field('The organization.', Uuid),
  slug: field('The slug of the organization.', Text),
  name: field('The name of the organization.', Text),
};

const sample = {
  apps: field('The number of apps of the sample company.', Count),
  people: field('The number of people of the sample company.', Count),
};

/** A file that a person uploaded as a sync of an app, or to import people. */
const spreadsheet = {
  upload_id: field('The uploaded file.', Uuid),
  app_id: field('The app.', Nullable(Uuid)),
  app_name: field('The name of the app at the time of the event.', MaybeText),
  file_name: field('The name of the file.', Text),
  bytes: field('The size of the file in bytes.', Count),
  sha256: field('The SHA-256 hash of the file.', Text),
  rows: field('The number of rows.', Nullable(Count)),
  sync_id: field('The sync.', Nullable(Uuid)),
};

/** The organization, its files and keys, and refused calls. */
export const organizationEvents = {
  'organization.created': define('Organization created', ['system'], BY_ANYTHING, {
    ocsf: ['entity_management', 1],
    sentence: '{who} created the organization {name}',
    payload: organization,
  }),
  'organization.updated': define('Organization settings changed', ['system'], BY_PERSON, {
    sentence: '{who} changed the organization: {changes}',
    payload: { ...organization, changes: Changes },
  }),
  'organization.sample_created': define('Sample company created', ['system'], BY_PERSON, {
    ocsf: ['entity_management', 1],
    sentence: '{who} created a sample company',
    payload: { ...organization, ...sample },
  }),
  'organization.sample_removed': define('Sample company removed', ['system'], BY_PERSON, {
    ocsf: ['entity_management', 4],
    sentence: '{who} removed the sample company',
    payload: {
      ...organization,
      apps: field('The number of deleted apps.', Count),
      apps_archived: field('The number of apps that were archived, because they had become real.', Count),
      people: field('The number of deleted people.', Count),
      people_deactivated: field(
        'The number of people who stay as deactivated, because something else names them.',
        Count,
      ),
      people_kept: field('The number of people who stay as they are, because they had become real.', Count),
    },
  }),
  'organization.suspended': define('Organization suspended', ['system'], BY_ANYTHING, {
    severity: 'high',
    ocsf: ['entity_management', 12],
    sentence: '{who} suspended the organization',
    quote: ['reason'],
    payload: { ...organization, reason: field('Why it happened.', MaybeText) },
  }),
  'organization.resumed': define('Organization resumed', ['system'], BY_ANYTHING, {
    ocsf: ['entity_management', 13],
    sentence: '{who} resumed the organization',
    payload: organization,
  }),
  'organization.deletion_ordered': define('Deletion of the organization ordered', ['system'], BY_ANYTHING, {
    severity: 'high',
    ocsf: ['entity_management', OTHER],
    sentence:
      '{has_deleted_after, select, no {{who} ordered the deletion of the organization} other {{who} ordered the deletion of the organization after {deleted_after}}}',
    payload: {
      ...organization,
      deleted_after: field('The time after which the data is deleted.', Timestamp),
    },
  }),
  'organization.deletion_withdrawn': define(
    'Deletion of the organization withdrawn',
    ['system'],
    BY_ANYTHING,
    {
      ocsf: ['entity_management', OTHER],
      sentence: '{who} withdrew the deletion of the organization',
      payload: organization,
    },
  ),
  'secrets.rotated': define('Encryption keys rotated', ['system'], BY_ANYTHING, {
    severity: 'medium',
    sentence: '{who} rotated the encryption keys',
    payload: {
      key_id: field('The encryption key that is used from now on.', Text),
      rewrapped: field('The number of data keys that were encrypted again.', Count),
    },
  }),
  'spreadsheet.uploaded': define('Spreadsheet uploaded', ['system', 'app'], BY_PERSON, {
    sentence:
      '{has_app_id, select, no {{who} uploaded the spreadsheet {file_name} of people} other {{who} uploaded the spreadsheet {file_name} of {app}}}',
    payload: spreadsheet,
  }),
  'spreadsheet.applied': define('Spreadsheet applied', ['system', 'app'], BY_PERSON, {
    sentence:
      '{has_app_id, select, no {{who} applied the spreadsheet {file_name} of people} other {{who} applied the spreadsheet {file_name} of {app}}}',
    payload: spreadsheet,
  }),
  'spreadsheet.discarded': define('Spreadsheet discarded', ['system', 'app'], BY_PERSON, {
    sentence:
      '{has_app_id, select, no {{who} discarded the spreadsheet {file_name} of people} other {{who} discarded the spreadsheet {file_name} of {app}}}',
    payload: spreadsheet,
  }),
  'export.created': define('Data exported', ['system', 'app'], BY_PERSON, {
    ocsf: ['entity_management', 2],
    sentence: '{who} exported {what} as {format}',
    payload: {
      what: field('The exported data.', Text),
      format: field('The format of the file.', Text),
      rows: optional('The number of rows.', Count),
      cycle_id: optional('The review cycle.', Uuid),
    },
  }),
  'privileged_call.refused': define('Privileged call refused', ['system', 'platform_user'], BY_PERSON, {
    severity: 'medium',
    ocsf: ['api_activity', OTHER],
    sentence: '{caller} was refused {method} {route}',
    quote: ['reason'],
    payload: {
      method: field('The HTTP method of the request.', Text),
      route: Type.String({ description: 'The address of the request, with placeholders instead of ids.' }),
      status: field('The status of the response.', Type.Enum([401, 403])),
      reason: field('Why it happened.', Text),
      api_key_id: optional('The API key. Null for a signed-in person.', Nullable(Uuid)),
    },
  }),
};

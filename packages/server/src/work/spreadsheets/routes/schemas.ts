import { Type } from 'typebox';
import { ImportResult } from '#directory/people/schemas.ts';
import { Component, Nullable, SentenceFields, Timestamp, Uuid } from '#kit/schemas.ts';
import { ID_REASONS } from '../guess.ts';
import { Mapping } from '../mapping.ts';
import { ENCODINGS, SEPARATORS } from '../read/sheet.ts';
import { Remark, RemarkCode } from '../remarks.ts';

const Encoding = Type.Enum([...ENCODINGS]);
const Separator = Type.Enum([...SEPARATORS]);
const Texts = Type.Array(Type.String());

export const ReadOptionsBody = Component('UploadReadOptions', {
  encoding: Type.Optional(Encoding),
  separator: Type.Optional(Separator),
  sheet: Type.Optional(Type.String({ maxLength: 255 })),
});

export const ApplyBody = Nullable(
  Component('UploadApply', {
    confirm: Type.Optional(
      Type.Array(RemarkCode, {
        maxItems: 10,
        description: 'The codes of the remarks that need a confirmation, and have it.',
      }),
    ),
  }),
);

export const CheckBody = Component('UploadCheck', { mapping: Mapping });

const ProblemView = Component('Problem', {
  row: Type.Integer({ description: 'As spreadsheet programs number it.' }),
  column: Type.String(),
  value: Type.String(),
  message: Type.String(),
  ...SentenceFields,
});

export const UploadView = Component('Upload', {
  upload_id: Uuid,
  app_id: Nullable(Uuid),
  file_name: Type.String(),
  bytes: Type.Integer(),
  sha256: Type.String(),
  status: Type.String({
    description: 'uploaded, checking, invalid, planned, applied, discarded or failed.',
  }),
  format: Type.Enum(['csv', 'xlsx']),
  encoding: Nullable(Encoding),
  separator: Nullable(Separator),
  sheets: Texts,
  sheet: Nullable(Type.String()),
  hidden_sheets: Type.Optional(Type.Array(Type.String(), { description: 'Those that the workbook hides.' })),
  columns: Type.Array(
    Component('UploadColumn', {
      name: Type.String(),
      samples: Texts,
      hidden: Type.Optional(Type.Boolean({ description: 'Whether the sheet hides the column.' })),
      values: Type.Optional(
        Type.Enum(['distinct', 'repeated', 'missing'], {
          description:
            'Whether any of the first 20,000 cells is empty (`missing`), or equal to another one (`repeated`).',
        }),
      ),
    }),
  ),
  suggestion: {
    ...Mapping,
    description: 'The mapping of the last upload if it fits, and a guess otherwise.',
  },
  id_choice: {
    ...Nullable(Component('UploadIdChoice', { column: Type.String(), why: Type.Enum([...ID_REASONS]) })),
    description:
      'The column that a guess takes as the ID of accounts. `named`: the file calls it an ID, and its values are distinct. `only_named`: it does, although cells are empty or equal. `distinct`: no cell is empty, and no two are equal. `needed`: neither is the case, but accounts need a username or an email anyway.',
  },
  since_last: {
    ...Nullable(Type.Object({ added: Texts, missing: Texts })),
    description: 'How the columns differ from those of the last applied upload.',
  },
  mapping: Nullable(Mapping),
  rows: Nullable(Type.Integer()),
  problem_count: Nullable(Type.Integer()),
  problems: Type.Array(ProblemView, { description: 'The first 100.' }),
  sync_id: {
    ...Nullable(Uuid),
    description: 'The session whose plan shows what applying the upload would do.',
  },
  ownership: {
    ...Nullable(
      Component('UploadOwnership', {
        accounts: Type.Integer({ description: 'The accounts of the app, without inactive ones.' }),
        linked: Type.Integer({ description: 'Those that belong to a person.' }),
        linkable: Type.Integer({
          description:
            'Those of nobody that have an email. They belong to the person with that email as soon as there is one.',
        }),
        of_leavers: Type.Integer({ description: 'Those that people who have left could use or resume.' }),
        leavers: Type.Integer({ description: 'The number of these people.' }),
      }),
    ),
    description:
      'For an applied upload of an app, once its sync is published: to whom the accounts belong now.',
  },
  result: { ...Nullable(ImportResult), description: 'For people: the changes of the import.' },
  remarks: Type.Array(Remark, {
    description: 'For a planned upload: what people should know before they apply it.',
  }),
  error: Type.Optional(Type.String()),
  error_code: SentenceFields.code,
  error_values: SentenceFields.values,
  created_by: Nullable(Uuid),
  created_at: Timestamp,
  updated_at: Timestamp,
});

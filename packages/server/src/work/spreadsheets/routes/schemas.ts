import { Type } from 'typebox';
import { ImportResult } from '#directory/people/schemas.ts';
import { Component, Nullable, SentenceFields, Timestamp, Uuid } from '#kit/schemas.ts';
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
    }),
  ),
  suggestion: {
    ...Mapping,
    description: 'The mapping of the last upload if it fits, and a guess otherwise.',
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

import { refusals } from '#kit/errors.ts';
import { sentences } from '#kit/sentences.ts';

export const uploadRefusals = refusals({
  invalid: {
    mapped_column_missing: 'The file has no column "{column}". Choose another in the mapping.',
    name_column_missing: 'Choose the column that holds the email or the username. Accounts need one of them.',
    too_many_attribute_columns:
      'An account can have {most} attributes. Leave out columns that are not needed.',
    id_column_missing:
      'Choose the column that holds the ID. If there is none, use the email or the username as the ID, too.',
    required_column_missing: 'Choose the column that holds the {required}.',
    column_missing: 'The file has no column "{column}".',
    field_unknown: '{field} is not a field. The fields are {fields}.',
    field_mapped_twice: 'Only one column can hold {field}, not {columns}.',
    resource_type_missing: 'The app has no resource type {wanted} of type {kind}.',
    rows_missing_for_sync:
      'The file has no rows under its header. Syncing it would remove every account of the app.',
    rows_missing_for_import: 'The file has no rows under its header. Nothing would be imported.',
    attribute_named_as_field:
      'The column "{column}" cannot be an attribute: a field has this name. Choose the field.',
    attribute_twice: 'Two columns would become the attribute {name}. Leave one of them out.',
    cells_too_long: 'The cells of the file have too much text. Remove the columns that you do not import.',
    too_many_people_rows: 'The file has more than {most} rows. Split it and import the parts.',
    row_too_long: 'Row {row} has more than {most} characters. Shorten it.',
    csv_invalid: 'The file is not valid CSV at row {row} or after it: {message}.',
    too_many_merged_cells: 'The sheet has more than {most} merged cells. Undo the merges, or save it as CSV.',
    file_without_header: 'The file is empty. Choose a file with a header row.',
    header_empty: 'The file is empty. Its first row must name the columns.',
    sheets_hidden:
      'All sheets of the workbook are hidden. Show the sheet with the data in a spreadsheet program, and save the file.',
    too_many_columns: 'The first row names more than {most} columns. Remove columns that are not needed.',
    header_with_nul: 'The first row contains a NUL character. Choose another encoding.',
    header_twice: 'The first row names the column "{column}" twice. Rename or remove one of them.',
    too_many_rows: 'The file has more than {most} rows. Sync an app of this size with a connector.',
    reading_too_long:
      'Reading the file took too long. Remove the columns that you do not import, or save the sheet as CSV.',
    encoding_wrong: 'The file is not valid {encoding} at line {at}. Choose another encoding.',
    file_is_opendocument: 'The file is an OpenDocument file. Save it as .xlsx or as CSV.',
    file_not_workbook: 'The file is not an .xlsx workbook. Save it as .xlsx or as CSV.',
    sheet_missing: 'The workbook has no sheet named "{name}".',
    workbook_without_sheets: 'The workbook has no sheets.',
    too_many_texts: 'The workbook has more than {most} different texts. Save the sheet as CSV.',
    workbook_damaged:
      'The workbook is damaged or was not uploaded completely. Save it again and upload it once more.',
    workbook_protected:
      'The file is protected by a password, or is an .xls workbook. Save it as .xlsx without a password, or as CSV.',
    workbook_too_large:
      'The workbook unpacks to more than {most} MB. Remove the columns that you do not import, or save the sheet as CSV.',
    columns_missing: 'The file has no columns.',
    upload_incomplete: 'The body is incomplete.',
  },
  conflict: {
    upload_replaced: 'A newer sync of the app has replaced this plan. Check the rows again.',
    upload_replaced_by: 'A newer sync of the app has replaced this plan. {who} Check the rows again.',
    upload_applied: 'The upload was applied. Revert its sync instead.',
    upload_unconfirmed: '{remarks} Apply the upload with {body} if this is intended.',
    upload_not_planned: 'The upload is {status}. Check its rows first, until it is planned.',
    people_changed_since_check: 'People have changed since the rows were checked. Check them again.',
    too_many_uploads: 'Your organization has {most} open uploads. Apply or discard one of them first.',
    rows_being_checked: 'The rows are being checked. Wait until this has ended.',
    upload_not_checkable: 'The upload is {status}. Upload the file again.',
  },
  too_large: {
    reading_too_large:
      'The file needs more memory than the server allows. Remove the columns that you do not import, or save the sheet as CSV.',
    file_too_large: 'The file is larger than {most} MB. Remove the columns that you do not import.',
  },
});

export const uploadSentences = sentences({
  rows_not_checked: 'The rows could not be checked, because of an error in the server. Try again.',
});

import { sentences } from '#kit/sentences.ts';

/** Problems of a cell of a workbook. */
export const cellSentences = sentences({
  cell_with_error: 'Cell {cell} shows the error {error}. Correct it.',
  cell_not_calculated:
    'Cell {cell} has a formula that was never calculated. Open the file in a spreadsheet program and save it.',
  cell_rounded:
    'Cell {cell} has a number of more than 15 digits, which spreadsheet programs round. Enter it as text.',
  cell_date_zero: 'Cell {cell} has the date zero, which is before 1950. Correct it, or empty the cell.',
  cell_too_early: 'Cell {cell} has the day {day}, which is before 1950. Correct it, or empty the cell.',
});

/** Problems of a row of accounts. */
export const accountSentences = sentences({
  row_email_malformed: 'This is not an email address.',
  row_status_unknown: 'The status is unknown. Choose whether it means active, inactive or suspended.',
  row_flag_malformed: 'This is neither yes nor no.',
  row_time_malformed: 'This is not a time. Write it as YYYY-MM-DD or YYYY-MM-DD hh:mm.',
  row_id_repeated:
    'Row {row} has the same id. If the file has a row for each group of an account, choose "Rows with the same ID are one account" (merge_rows).',
  row_id_missing: 'The id is missing.',
  row_differs: 'Row {row} has another value for the same account.',
});

export {
  ACCOUNT_FIELDS,
  fieldsOf,
  GROUP_FIELDS,
  LICENSE_FIELDS,
  RECORD_FIELDS,
  type RecordFields,
} from '../../../protocol/src/records.ts';
export { TASK_ERROR_CODES as taskErrorCodes } from '../../../protocol/src/task-errors.ts';
export { neverArrived, secondsOf } from '../http.ts';
export { type Document, type Path, parseText, readDocument } from './document.ts';
export { compileExpression, type Expression, ExpressionError, type ExpressionOptions } from './expression.ts';
export { fill, literalSecrets, settingsOf } from './settings.ts';

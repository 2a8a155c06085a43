import { ApiError, detailOf, type Issue, issueWords } from '../../api/error.ts';

export interface FormErrors {
  /** Messages by form field: "approval_steps.0.approvers". */
  fields: Record<string, string>;
  /** The message for the whole form; undefined if every error belongs to a field. */
  general: string | undefined;
}

/** Assigns the errors of a failed request to the fields on screen. `fieldOf` renames paths of the API to form fields. */
export function formErrors(
  error: unknown,
  onScreen: ReadonlySet<string>,
  fieldOf: (path: string) => string = (path) => path,
): FormErrors {
  const fields: Record<string, string> = {};
  const others: Issue[] = [];
  for (const issue of issuesOf(error)) {
    const field = nearestField(fieldOf(issue.path.replace(/\[(\d+)\]/g, '.$1')), onScreen);
    if (field === undefined) others.push(issue);
    else fields[field] = field in fields ? `${fields[field]}; ${issueWords(issue)}` : issueWords(issue);
  }
  if (Object.keys(fields).length === 0) return { fields, general: detailOf(error) };
  if (others.length === 0) return { fields, general: undefined };
  return { fields, general: others.map(located).join('; ') };
}

/** The issues of a reply, or none if it has only a `detail`. */
function issuesOf(error: unknown): Issue[] {
  return error instanceof ApiError && Array.isArray(error.body.errors) ? error.body.errors : [];
}

const located = (issue: Issue) =>
  issue.path === '' ? issueWords(issue) : `${issueWords(issue)} (${issue.path})`;

/** The field itself, or the closest one that contains it: a picker of groups shows the error of its second group. */
function nearestField(path: string, onScreen: ReadonlySet<string>): string | undefined {
  for (let field = path; field !== ''; field = field.slice(0, Math.max(0, field.lastIndexOf('.')))) {
    if (onScreen.has(field)) return field;
  }
  return undefined;
}

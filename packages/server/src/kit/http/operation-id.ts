/**
 * Returns the name of an operation, from which generators of clients make the name of a function: the method and the words of the address.
 * A word before the id of one of its things is in the singular; another parameter is named.
 *
 *     GET /org/{org}/api/users/{user_id}/passkeys/  →  getUserPasskeys
 *     GET /org/{org}/api/my-team/{report_id}/       →  getMyTeamByReportId
 */
export function operationId(method: string, path: string): string {
  const segments = path
    .replace('/org/{org}', '')
    .split('/')
    .filter((segment) => !['', 'api', 'v1'].includes(segment));
  const words = segments.map((segment, index) => {
    if (isParameter(segment)) return isIdOf(segment, segments[index - 1]) ? '' : `By${pascal(segment)}`;
    return pascal(isIdOf(segments[index + 1], segment) ? singular(segment) : segment);
  });
  return method.toLowerCase() + words.join('');
}

const isParameter = (segment = '') => segment.startsWith('{');

/** Whether a parameter is the id of one of the things that the word before it names. */
const isIdOf = (parameter = '', word = '') =>
  isParameter(parameter) &&
  !isParameter(word) &&
  (singular(word) !== word || parameter.startsWith(`{${word}_`));

/** Leaves abbreviations, such as `acs`, as they are. */
const singular = (word: string) => word.replace(/ies$/, 'y').replace(/(?<=..[^s])s$/, '');

const pascal = (text: string) =>
  text
    .split(/[^a-z0-9]+/i)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

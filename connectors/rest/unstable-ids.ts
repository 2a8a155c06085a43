import type { Document, Path } from '@gatehouse/connector/declarative';
import type { Definition } from './definition.ts';

/** The last name of an expression, such as `slug` of `item.slug`. */
const LAST = /(?:\.|\["|\[')?(\w+)(?:"\]|'\])?\s*$/;
const UNSTABLE =
  /^(.*_)?(slug|name|full_?path|login|user_?name|e_?mail|mail|e_?mail_?address|title|label|upn)$/;

/** Returns a warning for each id of a definition that looks like a name: somebody else can get it later (D63). */
export function unstableIds(document: Document<Definition>): string[] {
  const { groups = {}, licenses = {}, accounts } = document.value;
  const records = Object.entries({ groups, licenses, accounts }).flatMap(([section, types]) =>
    Object.entries(types).map(([slug, { record }]): [Path, string] => [
      [section, slug, 'record', 'id'],
      record.id,
    ]),
  );
  return records
    .filter(([, id]) => isUnstable(id))
    .map(
      ([path, id]) =>
        document.failure(
          path,
          `the id ${id} looks like a name, which can change and pass to somebody else; use an id that stays, if there is one`,
        ).message,
    );
}

function isUnstable(expression: string): boolean {
  const [, last = ''] = LAST.exec(expression) ?? [];
  // userPrincipalName, primaryEmail
  const words = last.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  return UNSTABLE.test(words);
}

import { Type } from 'typebox';
import { type Place, resource } from '#kit/http.ts';
import { accessibleApp } from '../apps.ts';

/**
 * Returns functions that declare operations below the address of an app. They receive the app as `found`. Before the body is read, they
 * throw 404 if it does not exist and 403 if the key may not access it (D6).
 */
export function belowApp({
  path = '/api/apps/',
  ...place
}: Pick<Place, 'tag' | 'reading' | 'managing'> & { path?: string }) {
  const { one, listOf } = resource({
    ...place,
    path,
    id: 'app_id',
    find: ({ db, principal }, id) => accessibleApp(db, principal, id),
    schema: Type.Null(),
    view: () => null,
  });
  return { ...one, list: listOf };
}

import type { OrgDb } from '#kit/database.ts';
import * as queries from './queries/departments.ts';

/** Returns the sizes of departments, and how many people of each have access to which app. Both name the same departments. */
export async function accessByDepartment(db: OrgDb) {
  return { access: await queries.accessByDepartment(db), departments: await queries.departmentSizes(db) };
}

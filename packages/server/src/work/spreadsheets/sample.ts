import type { App } from '#inventory/apps/app.ts';
import { listResourceTypes } from '#inventory/apps/resource-types.ts';
import type { OrgDb } from '#kit/database.ts';
import type { Target } from './upload.ts';

const ACCOUNTS = [
  ['id', 'email', 'username', 'first_name', 'last_name', 'display_name', 'status'],
  ['1001', 'ada@example.com', 'ada', 'Ada', 'Lovelace', 'Ada Lovelace', 'active'],
  ['1002', 'grace@example.com', 'grace', 'Grace', 'Hopper', 'Grace Hopper', 'suspended'],
];
const RELATIONS = {
  group: ['groups', 'Engineering; Everyone', 'Everyone'],
  license: ['licenses', 'Standard', ''],
} as const;

const PEOPLE = [
  ['email', 'first_name', 'last_name', 'manager_email', 'start_date', 'department', 'title'],
  ['grace@example.com', 'Grace', 'Hopper', '', '2026-01-01', 'Engineering', 'Head of Engineering'],
  ['ada@example.com', 'Ada', 'Lovelace', 'grace@example.com', '2026-02-01', 'Engineering', 'Engineer'],
];

const MOST_TYPES = 1000;

/** Returns the rows of a sample file: with groups and licenses, unless the app has only other resource types. */
export async function sampleRows(db: OrgDb, target: Target): Promise<readonly string[][]> {
  return target === null ? PEOPLE : accountRows(db, target);
}

async function accountRows(db: OrgDb, app: App): Promise<string[][]> {
  const { results } = await listResourceTypes(db, app, { limit: MOST_TYPES, offset: 0 });
  const kinds = (['group', 'license'] as const).filter(
    (kind) => results.length === 0 || results.some(({ type }) => type === kind),
  );
  return ACCOUNTS.map((row, index) => [...row, ...kinds.map((kind) => RELATIONS[kind][index] ?? '')]);
}

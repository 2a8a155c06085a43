import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Released } from './migrations.ts';

const FOLDER = join(import.meta.dirname, '../../packages/server/migrations');
/** The checksums of released migrations. `npm run migrations -- --freeze` writes them. */
export const RELEASED = join(import.meta.dirname, '../../packages/server/test/released-migrations.json');

export const readReleased = (): Released => JSON.parse(readFileSync(RELEASED, 'utf8'));

/** Returns the migrations of the repository, by their files. */
export function readMigrations(): Record<string, string> {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'));
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]));
}

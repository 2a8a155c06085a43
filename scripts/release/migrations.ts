/** The migrations that were released. Databases have them, so their SQL never changes again. Their comments may. */
import { createHash } from 'node:crypto';

/** The checksums of released migrations, by their files. */
export type Released = Record<string, string>;

/** Strings stay as they are. Comments and line breaks do not count. */
const STRING_OR_COMMENT = /'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\//g;

/** Returns the checksum of the SQL of a migration, and of the line that says with which servers it works. */
export function checksumOf(text: string): string {
  const [runsWith = ''] = /^-- runs-with: .*$/m.exec(text) ?? [];
  const sql = text.replaceAll(STRING_OR_COMMENT, (found) => (found.startsWith("'") ? found : ' '));
  return createHash('sha256')
    .update(`${runsWith}${sql.replaceAll(/\s+/g, ' ').trim()}`)
    .digest('hex');
}

/** Returns a sentence for each migration that differs from what was released, or has a wrong number. */
export function migrationProblems(files: Record<string, string>, released: Released): string[] {
  const names = Object.keys(files).sort();
  const next = String(names.length + 1).padStart(4, '0');
  const numbers = names.map((name) => name.slice(0, 4));
  return [
    ...Object.keys(released)
      .filter((name) => !names.includes(name))
      .map((name) => `${name} was released, and must stay.`),
    ...names
      .filter((name) => name in released && released[name] !== checksumOf(files[name] ?? ''))
      .map(
        (name) => `${name} was released, so its SQL must not change. Write ${next}_….sql with the change.`,
      ),
    ...names
      .filter((_, index) => numbers[index] !== String(index + 1).padStart(4, '0'))
      .map((name) => `${name} does not have the next number.`),
  ];
}

/** Returns the migrations that no release has yet. */
export const unreleased = (files: Record<string, string>, released: Released): string[] =>
  Object.keys(files)
    .filter((name) => !(name in released))
    .sort();

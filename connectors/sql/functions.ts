import { type CelFunc, CelScalar, celFunc, listType } from '@bufbuild/cel';

const { STRING } = CelScalar;

const lower = (text: string) => text.toLowerCase();

/** The functions of baton-sql that CEL does not have. */
export const functions: CelFunc[] = [
  celFunc('toLower', [STRING], STRING, lower),
  celFunc('lowercase', [STRING], STRING, lower),
  celFunc('toUpper', [STRING], STRING, (text) => text.toUpperCase()),
  celFunc('titleCase', [STRING], STRING, titleCase),
  celFunc('slugify', [STRING], STRING, slugify),
  celFunc('phpSerializeStringArray', [listType(STRING)], STRING, (list) =>
    phpSerialize([...list].map(String)),
  ),
  celFunc('phpDeserializeStringArray', [STRING], listType(STRING), (text) => phpDeserialize(text)),
];

/** Starts each word with a capital. An apostrophe does not end a word. */
export function titleCase(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(
      /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_]*/gu,
      (word) => (word[0] ?? '').toUpperCase() + word.slice(1),
    );
}

export function slugify(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[ _]/g, '-')
    .replaceAll(/[^a-z0-9-]/g, '')
    .replaceAll(/-+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** Serializes a set of names as PHP does, the way WordPress stores roles: each name maps to true. */
export function phpSerialize(names: readonly string[]): string {
  const entries = [...new Set(names)].map((name) => `s:${Buffer.byteLength(name)}:"${name}";b:1;`);
  return `a:${entries.length}:{${entries.join('')}}`;
}

/** Returns the text keys of a serialized PHP array, sorted. The values may be scalars. */
export function phpDeserialize(serialized: string): string[] {
  const bytes = Buffer.from(serialized);
  const broken = () => new Error('the text is not a PHP array');
  let at = 0;
  const take = (pattern: RegExp): string => {
    const found = pattern.exec(bytes.subarray(at, at + 40).toString('latin1'));
    if (!found) throw broken();
    at += found[0].length;
    return found[1] ?? '';
  };
  const value = (): string | undefined => {
    if (bytes[at] !== 0x73) return void take(/^(?:[ib]:-?\d+|d:[-+.\dEINFA]+|N);/);
    const length = Number(take(/^s:(\d+):"/));
    const text = bytes.subarray(at, at + length);
    at += length;
    take(/^";/);
    return text.toString();
  };
  const names: string[] = [];
  const count = Number(take(/^a:(\d+):\{/));
  for (let n = 0; n < count; n++) {
    const key = value();
    value();
    if (key !== undefined) names.push(key);
  }
  take(/^\}/);
  if (at !== bytes.length) throw broken();
  return names.sort();
}

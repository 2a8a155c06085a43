/**
 * Names that people read compare in Unicode's form NFC (D89): "ü" is one character in some systems, and a "u" with a mark in others.
 * Texts keep the form in which they arrived. Queries compare with name_key(), and search accounts with search_key().
 */

/** Returns a text in NFC. */
export const nfc = (text: string): string => text.normalize('NFC');

/** Returns a name as name_key() does: names with one key are one name (D82, D89). */
export const nameKey = (name: string): string => nfc(nfc(name).toLowerCase());

/** Whether two JSON values differ in more than the form of their texts. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one === 'string' && typeof other === 'string') return nfc(one) === nfc(other);
  return JSON.stringify(inNfc(one)) === JSON.stringify(inNfc(other));
}

/** Returns a JSON value with its texts and names in NFC, and its names in order. */
function inNfc(value: unknown): unknown {
  if (typeof value === 'string') return nfc(value);
  if (Array.isArray(value)) return value.map(inNfc);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [nfc(name), inNfc(one)] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Returns the name of an object's field that equals `name`, or the name in NFC if there is none. */
export const fieldNamed = (object: object, name: string): string => {
  if (Object.hasOwn(object, name)) return name;
  const wanted = nfc(name);
  // A name in ASCII has one form only.
  return /^[\0-\x7f]*$/.test(wanted)
    ? wanted
    : (Object.keys(object).find((one) => nfc(one) === wanted) ?? wanted);
};

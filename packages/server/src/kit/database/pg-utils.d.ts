declare module 'pg/lib/utils.js' {
  /** Returns a value as the driver sends it: as text, as bytes, or null. */
  export function prepareValue(value: unknown): Buffer | string | null;
}

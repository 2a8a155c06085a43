/** Where the table of items turns into a list. */
export const ON_PHONES = '(width<=640px)';

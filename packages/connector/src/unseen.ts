/**
 * Why a listing does not show something that exists (D81): it is outside of a range or of a filter of the settings, of another class, or
 * of another system (`foreign`); the system computes it; or the connector may not read it.
 */
export const unseenRules = ['range', 'filter', 'class', 'foreign', 'computed', 'unreadable'] as const;
export type UnseenRule = (typeof unseenRules)[number];

/**
 * Something that a listing does not show. With an `id`: how many members of a group, or holders of a license, it leaves out. Without: how many
 * records of a resource type. A group with `unreadable` members keeps the members that are not pushed.
 */
export type Unseen = { slug: string; id?: string | null | undefined; rule: UnseenRule; count: number };

/** The policies of templates, by their id in the URL of a new policy. */
export const START_IDS = [
  'joiners',
  'team',
  'movers',
  'leavers-suspend',
  'leavers-delete',
  'last-day-suspend',
  'last-day-delete',
  'unused',
  'leave',
  'back',
] as const;
export type StartId = (typeof START_IDS)[number];

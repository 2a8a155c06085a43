/** The time zones that the browser knows. */
export const timeZones = () => [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
];

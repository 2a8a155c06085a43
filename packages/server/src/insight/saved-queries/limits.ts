/** How long a statement of a query may take. Scheduled runs, for which nobody waits, have more time. Tests set less. */
export const limits = { seconds: 10, scheduledSeconds: 30 };

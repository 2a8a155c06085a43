/** The part of the help about each page. Of the addresses that a page begins with, the longest counts. */
export const HELP: Readonly<Record<string, string>> = {
  '/': 'guides/console#first-steps',
  '/approvals': 'guides/requests#decide-a-request',
  '/requests': 'guides/requests#request-access',
  '/reviews': 'guides/reviews',
  '/reviews/new': 'guides/reviews#campaigns',
  '/reviews/cycles': 'guides/reviews#cycles',
  '/tasks': 'guides/provisioning#task-states',
  '/team': 'guides/requests#a-managers-team',
  '/access': 'guides/console#accounts-and-people',
  '/accounts': 'guides/console#accounts-and-people',
  '/queries': 'guides/queries#ask-save-and-schedule',
  '/people': 'guides/people#people',
  '/groups': 'guides/people#people',
  '/apps': 'guides/people#apps-for-administrators',
  '/apps/new': 'guides/managed-connectors#in-the-console',
  '/policies': 'guides/policies#what-is-checked-when',
  '/policies/new': 'guides/policies#templates',
  '/findings': 'guides/findings#in-the-console',
  '/holds': 'guides/provisioning#the-daily-budget',
  '/events': 'reference/events',
  '/settings/organization': 'guides/sign-in#second-factors-and-passkeys',
  '/settings/identity-provider': 'guides/sign-in#set-up-a-provider',
  '/settings/api-keys': 'guides/people#api-keys',
  '/settings/webhooks': 'guides/webhooks#a-receiver',
  '/settings/notifications': 'guides/notifications#set-up-a-channel',
  '/settings/profile': 'guides/sign-in#second-factors-and-passkeys',
};

/** Returns the address of the help about the page at a path, which the server has at its root. */
export function helpAddress(path: string): string {
  const begins = (page: string) => page === '/' || path === page || path.startsWith(`${page}/`);
  const [page = '/'] = Object.keys(HELP)
    .filter(begins)
    .sort((a, b) => b.length - a.length);
  return `/help/${HELP[page]}`;
}

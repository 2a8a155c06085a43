import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { plainSearch } from './kit/browser/address.ts';
import { createDialogHistory } from './kit/browser/dialog-history.ts';
import { onDemand } from './kit/browser/files.ts';
import { accessSearch, entitlementSearch } from './pages/access/search.ts';
import { accountSearch, accountsSearch } from './pages/accounts/search.ts';
import { appSearch, appsSearch, newAppSearch, syncSearch } from './pages/apps/search.ts';
import { eventsSearch } from './pages/events/search.ts';
import { findingsSearch } from './pages/findings/search.ts';
import { compareSearch } from './pages/history/search.ts';
import { holdSearch, holdsSearch } from './pages/holds/search.ts';
import { formerSignInSearch, identityProviderSearch } from './pages/identity-provider/search.ts';
import { inboxSearch, notificationSettingsSearch } from './pages/notifications/search.ts';
import { groupSearch, groupsSearch, peopleSearch, personSearch } from './pages/people/search.ts';
import { newPolicySearch, policiesSearch, policySearch } from './pages/policies/search.ts';
import { queriesSearch, querySearch } from './pages/queries/search.ts';
import { approvalsSearch, newRequestSearch, requestsSearch } from './pages/requests/search.ts';
import { restoreSearch } from './pages/restore/search.ts';
import { cycleSearch, newReviewSearch, reviewSearch, reviewsSearch } from './pages/reviews/search.ts';
import { apiKeysSearch } from './pages/settings/search.ts';
import { signInSearch, switchSearch } from './pages/sign-in/search.ts';
import { taskSearch, tasksSearch } from './pages/tasks/search.ts';
import { teamSearch } from './pages/team/search.ts';
import { uploadSearch } from './pages/uploads/search.ts';
import { webhookSearch, webhooksSearch } from './pages/webhooks/search.ts';
import { consolePath } from './shell/console-path.ts';
import { Layout } from './shell/layout.tsx';
import { NotFoundPage } from './shell/not-found.tsx';
import { PageFailure } from './shell/page-failure.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage });

/** The pages after sign-in, within the layout. */
const inside = createRoute({ getParentRoute: () => root, id: 'in', component: Layout });

/** A page after sign-in. Its file is loaded on demand; `validateSearch` reads what its address may hold. */
function page<
  const Path extends string,
  Module extends Record<string, unknown>,
  Search extends object = object,
>(
  path: Path,
  load: () => Promise<Module>,
  name: keyof Module & string,
  validateSearch?: (raw: Record<string, unknown>) => Search,
) {
  return createRoute({
    getParentRoute: () => inside,
    path,
    ...(validateSearch === undefined ? {} : { validateSearch }),
    component: lazyRouteComponent(onDemand(load), name),
  });
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: signInSearch,
  component: lazyRouteComponent(
    onDemand(() => import('./pages/sign-in/sign-in-page.tsx')),
    'SignInPage',
  ),
});
const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  component: lazyRouteComponent(
    onDemand(() => import('./pages/sign-in/welcome-page.tsx')),
    'WelcomePage',
  ),
});

const switchPerson = createRoute({
  getParentRoute: () => root,
  path: '/switch',
  validateSearch: switchSearch,
  component: lazyRouteComponent(
    onDemand(() => import('./pages/sign-in/switch-page.tsx')),
    'SwitchPage',
  ),
});

const pages = [
  page('/', () => import('./pages/home/home-page.tsx'), 'HomePage'),
  page('/apps', () => import('./pages/apps/apps-page.tsx'), 'AppsPage', appsSearch),
  page('/apps/new', () => import('./pages/apps/new-app-page.tsx'), 'NewAppPage', newAppSearch),
  page('/apps/$appId', () => import('./pages/apps/app-page.tsx'), 'AppPage', appSearch),
  page('/apps/$appId/syncs/$syncId', () => import('./pages/apps/sync-page.tsx'), 'SyncPage', syncSearch),
  page(
    '/apps/$appId/upload',
    () => import('./pages/uploads/app-upload-page.tsx'),
    'AppUploadPage',
    uploadSearch,
  ),
  page('/apps/$appId/accounts', () => import('./pages/uploads/by-hand-page.tsx'), 'ByHandPage'),
  page('/access', () => import('./pages/access/access-page.tsx'), 'AccessPage', accessSearch),
  page('/queries', () => import('./pages/queries/queries-page.tsx'), 'QueriesPage', queriesSearch),
  page('/queries/new', () => import('./pages/queries/query-page.tsx'), 'NewQueryPage', querySearch),
  page('/queries/$queryId', () => import('./pages/queries/query-page.tsx'), 'QueryPage', querySearch),
  page(
    '/access/$resourceId',
    () => import('./pages/access/entitlement-page.tsx'),
    'EntitlementPage',
    entitlementSearch,
  ),
  page('/accounts', () => import('./pages/accounts/accounts-page.tsx'), 'AccountsPage', accountsSearch),
  page(
    '/accounts/$accountId',
    () => import('./pages/accounts/account-page.tsx'),
    'AccountPage',
    accountSearch,
  ),
  page('/accounts/$accountId/proof', () => import('./pages/proof/proof-page.tsx'), 'AccountProofPage'),
  page('/people', () => import('./pages/people/people-page.tsx'), 'PeoplePage', peopleSearch),
  page('/groups', () => import('./pages/people/groups-page.tsx'), 'GroupsPage', groupsSearch),
  page(
    '/people/upload',
    () => import('./pages/uploads/people-upload-page.tsx'),
    'PeopleUploadPage',
    uploadSearch,
  ),
  page('/groups/$groupId', () => import('./pages/people/group-page.tsx'), 'GroupPage', groupSearch),
  page('/people/$userId', () => import('./pages/people/person-page.tsx'), 'PersonPage', personSearch),
  page('/tasks', () => import('./pages/tasks/tasks-page.tsx'), 'TasksPage', tasksSearch),
  page('/tasks/$taskId', () => import('./pages/tasks/task-page.tsx'), 'TaskPage', taskSearch),
  page('/tasks/$taskId/proof', () => import('./pages/proof/proof-page.tsx'), 'TaskProofPage'),
  createRoute({
    getParentRoute: () => inside,
    path: '/my-tasks',
    // The address until the pages of tasks became one. Links in emails have it.
    beforeLoad: ({ search: { all, ...rest } }: { search: Record<string, unknown> }) => {
      throw redirect({
        to: '/tasks',
        search: tasksSearch({ ...rest, whose: all === 'true' ? 'by_hand' : 'mine' }),
        replace: true,
      });
    },
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/my-tasks/$taskId',
    beforeLoad: ({ params, search }) => {
      throw redirect({ to: '/tasks/$taskId', params, search: taskSearch(search), replace: true });
    },
  }),
  page('/requests', () => import('./pages/requests/requests-page.tsx'), 'RequestsPage', requestsSearch),
  page(
    '/requests/new',
    () => import('./pages/requests/new-request-page.tsx'),
    'NewRequestPage',
    newRequestSearch,
  ),
  page('/requests/$ticketId', () => import('./pages/requests/request-page.tsx'), 'RequestPage'),
  page('/approvals', () => import('./pages/requests/approvals-page.tsx'), 'ApprovalsPage', approvalsSearch),
  page('/team', () => import('./pages/team/team-page.tsx'), 'TeamPage', teamSearch),
  page('/team/$reportId', () => import('./pages/team/report-page.tsx'), 'ReportPage'),
  page('/reviews', () => import('./pages/reviews/reviews-page.tsx'), 'ReviewsPage', reviewsSearch),
  page('/reviews/new', () => import('./pages/reviews/new-review-page.tsx'), 'NewReviewPage', newReviewSearch),
  page('/reviews/$reviewId', () => import('./pages/reviews/review-page.tsx'), 'ReviewPage', reviewSearch),
  page('/reviews/cycles/$cycleId', () => import('./pages/reviews/cycle-page.tsx'), 'CyclePage', cycleSearch),
  page(
    '/reviews/cycles/$cycleId/items/$itemId/proof',
    () => import('./pages/proof/proof-page.tsx'),
    'ItemProofPage',
  ),
  page('/findings', () => import('./pages/findings/findings-page.tsx'), 'FindingsPage', findingsSearch),
  page('/holds', () => import('./pages/holds/holds-page.tsx'), 'HoldsPage', holdsSearch),
  page('/holds/$holdId', () => import('./pages/holds/hold-page.tsx'), 'HoldPage', holdSearch),
  page('/policies', () => import('./pages/policies/policies-page.tsx'), 'PoliciesPage', policiesSearch),
  page(
    '/policies/new',
    () => import('./pages/policies/new-policy-page.tsx'),
    'NewPolicyPage',
    newPolicySearch,
  ),
  page('/policies/$policyId', () => import('./pages/policies/policy-page.tsx'), 'PolicyPage', policySearch),
  page('/history/compare', () => import('./pages/history/compare-page.tsx'), 'ComparePage', compareSearch),
  page('/restore', () => import('./pages/restore/restore-page.tsx'), 'RestorePage', restoreSearch),
  page('/events', () => import('./pages/events/events-page.tsx'), 'EventsPage', eventsSearch),
  page(
    '/settings/api-keys',
    () => import('./pages/settings/api-keys-page.tsx'),
    'ApiKeysPage',
    apiKeysSearch,
  ),
  page(
    '/settings/identity-provider',
    () => import('./pages/identity-provider/identity-provider-page.tsx'),
    'IdentityProviderPage',
    identityProviderSearch,
  ),
  // The addresses until sign-in and SCIM became one page. Links in emails have them.
  createRoute({
    getParentRoute: () => inside,
    path: '/settings/sign-in',
    beforeLoad: ({ search }) => {
      const { new: protocol, ...rest } = formerSignInSearch(search);
      const added = protocol === undefined ? {} : { product: 'other' as const, protocol };
      throw redirect({ to: '/settings/identity-provider', search: { ...rest, ...added }, replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/settings/scim-clients',
    beforeLoad: () => {
      throw redirect({ to: '/settings/identity-provider', replace: true });
    },
  }),
  page(
    '/settings/webhooks',
    () => import('./pages/webhooks/webhooks-page.tsx'),
    'WebhooksPage',
    webhooksSearch,
  ),
  page(
    '/settings/webhooks/$webhookId',
    () => import('./pages/webhooks/webhook-page.tsx'),
    'WebhookPage',
    webhookSearch,
  ),
  page(
    '/settings/notifications',
    () => import('./pages/notifications/settings-page.tsx'),
    'NotificationSettingsPage',
    notificationSettingsSearch,
  ),
  page('/notifications', () => import('./pages/notifications/inbox-page.tsx'), 'InboxPage', inboxSearch),
  page('/settings/organization', () => import('./pages/settings/organization-page.tsx'), 'OrganizationPage'),
  page('/settings/profile', () => import('./pages/settings/profile-page.tsx'), 'ProfilePage'),
] as const;

const routeTree = root.addChildren([signIn, welcome, switchPerson, inside.addChildren(pages)]);

export function makeRouter() {
  return createRouter({
    routeTree,
    basepath: consolePath === '' ? '/' : consolePath,
    history: createDialogHistory(),
    ...plainSearch,
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: PageFailure,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}

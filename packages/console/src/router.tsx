import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router';
import { accountSearch, accountsSearch } from './pages/accounts/search.ts';
import { appSearch, appsSearch } from './pages/apps/search.ts';
import { eventsSearch } from './pages/events/search.ts';
import { peopleSearch, personSearch } from './pages/people/search.ts';
import { policiesSearch, policySearch } from './pages/policies/search.ts';
import { approvalsSearch, newRequestSearch, requestsSearch } from './pages/requests/search.ts';
import { cycleSearch, reviewSearch, reviewsSearch } from './pages/reviews/search.ts';
import { apiKeysSearch } from './pages/settings/search.ts';
import { signInSearch } from './pages/sign-in/search.ts';
import { taskSearch, tasksSearch } from './pages/tasks/search.ts';
import { plainSearch } from './parts/address.ts';
import { Failure } from './parts/failure.tsx';
import { Layout } from './shell/layout.tsx';
import { NotFoundPage } from './shell/not-found.tsx';
import { file } from './shell/page-files.ts';

// One lazily loaded file a page; a page's search.ts says what its address may hold.

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: signInSearch,
  component: lazyRouteComponent(
    file(() => import('./pages/sign-in/sign-in-page.tsx')),
    'SignInPage',
  ),
});
const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  component: lazyRouteComponent(
    file(() => import('./pages/sign-in/welcome-page.tsx')),
    'WelcomePage',
  ),
});

/** Everything behind sign-in, within the shell. */
const inside = createRoute({ getParentRoute: () => root, id: 'in', component: Layout });
const parent = () => inside;

const pages = [
  createRoute({
    getParentRoute: parent,
    path: '/',
    component: lazyRouteComponent(
      file(() => import('./pages/overview/overview-page.tsx')),
      'OverviewPage',
    ),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/apps',
    validateSearch: appsSearch,
    component: lazyRouteComponent(
      file(() => import('./pages/apps/apps-page.tsx')),
      'AppsPage',
    ),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/apps/$appId',
    validateSearch: appSearch,
    component: lazyRouteComponent(
      file(() => import('./pages/apps/app-page.tsx')),
      'AppPage',
    ),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/accounts',
    validateSearch: accountsSearch,
    component: lazyRouteComponent(
      file(() => import('./pages/accounts/accounts-page.tsx')),
      'AccountsPage',
    ),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/accounts/$accountId',
    validateSearch: accountSearch,
    component: lazyRouteComponent(
      file(() => import('./pages/accounts/account-page.tsx')),
      'AccountPage',
    ),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/people',
    validateSearch: peopleSearch,
    component: lazyRouteComponent(
      file(() => import('./pages/people/people-page.tsx')),
      'PeoplePage',
    ),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/people/$userId',
    validateSearch: personSearch,
    component: lazyRouteComponent(
      file(() => import('./pages/people/person-page.tsx')),
      'PersonPage',
    ),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/tasks',
    validateSearch: tasksSearch,
    component: lazyRouteComponent(
      file(() => import('./pages/tasks/tasks-page.tsx')),
      'TasksPage',
    ),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/tasks/$taskId',
    validateSearch: taskSearch,
    component: lazyRouteComponent(
      file(() => import('./pages/tasks/task-page.tsx')),
      'TaskPage',
    ),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/requests',
    validateSearch: requestsSearch,
    component: lazyRouteComponent(
      file(() => import('./pages/requests/requests-page.tsx')),
      'RequestsPage',
    ),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/requests/new',
    validateSearch: newRequestSearch,
    component: lazyRouteComponent(
      file(() => import('./pages/requests/new-request-page.tsx')),
      'NewRequestPage',
    ),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/requests/$ticketId',
    component: lazyRouteComponent(
      file(() => import('./pages/requests/request-page.tsx')),
      'RequestPage',
    ),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/approvals',
    validateSearch: approvalsSearch,
    component: lazyRouteComponent(
      file(() => import('./pages/requests/approvals-page.tsx')),
      'ApprovalsPage',
    ),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/reviews',
    validateSearch: reviewsSearch,
    component: lazyRouteComponent(
      file(() => import('./pages/reviews/reviews-page.tsx')),
      'ReviewsPage',
    ),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/reviews/$reviewId',
    validateSearch: reviewSearch,
    component: lazyRouteComponent(
      file(() => import('./pages/reviews/review-page.tsx')),
      'ReviewPage',
    ),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/reviews/cycles/$cycleId',
    validateSearch: cycleSearch,
    component: lazyRouteComponent(
      file(() => import('./pages/reviews/cycle-page.tsx')),
      'CyclePage',
    ),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/policies',
    validateSearch: policiesSearch,
    component: lazyRouteComponent(
      file(() => import('./pages/policies/policies-page.tsx')),
      'PoliciesPage',
    ),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/policies/new',
    component: lazyRouteComponent(
      file(() => import('./pages/policies/new-policy-page.tsx')),
      'NewPolicyPage',
    ),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/policies/$policyId',
    validateSearch: policySearch,
    component: lazyRouteComponent(
      file(() => import('./pages/policies/policy-page.tsx')),
      'PolicyPage',
    ),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/events',
    validateSearch: eventsSearch,
    component: lazyRouteComponent(
      file(() => import('./pages/events/events-page.tsx')),
      'EventsPage',
    ),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/settings/api-keys',
    validateSearch: apiKeysSearch,
    component: lazyRouteComponent(
      file(() => import('./pages/settings/api-keys-page.tsx')),
      'ApiKeysPage',
    ),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/settings/sign-in',
    component: lazyRouteComponent(
      file(() => import('./pages/settings/sign-in-settings-page.tsx')),
      'SignInSettingsPage',
    ),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/settings/organization',
    component: lazyRouteComponent(
      file(() => import('./pages/settings/organization-page.tsx')),
      'OrganizationPage',
    ),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/settings/profile',
    component: lazyRouteComponent(
      file(() => import('./pages/settings/profile-page.tsx')),
      'ProfilePage',
    ),
  }),
] as const;

const routeTree = root.addChildren([signIn, welcome, inside.addChildren(pages)]);

export function makeRouter() {
  return createRouter({
    routeTree,
    ...plainSearch,
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: ({ error, reset }) => <Failure error={error} again={reset} />,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}

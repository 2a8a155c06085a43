import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { onFactorMissing, onSignedOut } from './api/base.ts';
import { queryClient } from './api/client.ts';
import { meQuery } from './api/me.ts';
import { signInAgain } from './api/session.ts';
import { makeRouter } from './router.tsx';
import { colorScheme, theme } from './theme/theme.ts';

// Messages wait in their store until this is loaded.
const Notices = lazy(() =>
  import('./shell/notices.tsx').then(({ Notices: notices }) => ({ default: notices })),
);

const router = makeRouter();

onSignedOut(async () => {
  const { pathname } = router.state.location;
  if (pathname === '/sign-in' || pathname === '/welcome') return false;
  // Someone who was signed in may have unsaved input on the page.
  const wasSignedIn = queryClient.getQueryData(meQuery.queryKey) !== undefined;
  if (wasSignedIn && (await signInAgain())) return true;
  const { pathname: page, searchStr } = router.state.location;
  if (page !== '/sign-in') {
    queryClient.clear();
    await router.navigate({
      to: '/sign-in',
      search: { return: page + searchStr },
      replace: true,
      ignoreBlocker: true,
    });
  }
  return false;
});

// The layout then asks for one.
onFactorMissing(() => void queryClient.invalidateQueries({ queryKey: meQuery.queryKey }));

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root element.');
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      colorSchemeManager={colorScheme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={queryClient}>
          <Suspense>
            <Notices />
          </Suspense>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </I18nProvider>
    </MantineProvider>
  </StrictMode>,
);

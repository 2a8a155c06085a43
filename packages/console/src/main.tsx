import './theme/styles.ts';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { onFactorMissing, onSignedOut } from './api/base.ts';
import { queryClient } from './api/client.ts';
import { meQuery } from './api/me.ts';
import { makeRouter } from './router.tsx';
import { colorScheme, theme } from './theme/theme.ts';

const router = makeRouter();

onSignedOut(() => {
  const { pathname, searchStr } = router.state.location;
  if (pathname === '/sign-in' || pathname === '/welcome') return;
  queryClient.clear();
  void router.navigate({ to: '/sign-in', search: { return: pathname + searchStr }, replace: true });
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
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" limit={4} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);

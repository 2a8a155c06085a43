import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { onFactorMissing, onPersonNeeded, onSessionLost } from './api/base.ts';
import { queryClient } from './api/client.ts';
import { meQuery } from './api/me.ts';
import { setUpFactor, signInAgain } from './api/session.ts';
import { untilRead } from './api/until-read.ts';
import { MissingFile, onDemand } from './kit/browser/files.ts';
import { declareServerWords } from './language/language.ts';
import { makeRouter } from './router.tsx';
import { Messages } from './shell/messages.tsx';
import { loadFont } from './theme/font.ts';
import { colorScheme, theme } from './theme/theme.ts';

const router = makeRouter();

// A later read never replaces them: it names them, too.
onPersonNeeded(() => queryClient.getQueryData(meQuery.queryKey)?.external_uuid);

onSessionLost(async (why) => {
  const { pathname } = router.state.location;
  if (pathname === '/sign-in' || pathname === '/welcome') return false;
  // Someone who was signed in may have unsaved input on the page.
  const wasSignedIn = queryClient.getQueryData(meQuery.queryKey) !== undefined;
  if (wasSignedIn && (await signInAgain(why))) return true;
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

loadFont(untilRead, (show) => {
  const stop = router.subscribe('onBeforeNavigate', () => {
    stop();
    show();
  });
});

declareServerWords(onDemand(() => import('./server-words.ts')));

onFactorMissing(() => {
  // The layout then asks for one.
  void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
  return setUpFactor();
});

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root element.');
const roots = {
  // The page reports a missing file itself.
  onCaughtError: (error: unknown) => {
    // biome-ignore lint/suspicious/noConsole: as React does by default.
    if (!(error instanceof MissingFile)) console.error(error);
  },
};
createRoot(root, roots).render(
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
          <Messages />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </I18nProvider>
    </MantineProvider>
  </StrictMode>,
);

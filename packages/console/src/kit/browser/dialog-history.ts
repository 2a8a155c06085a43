import { createBrowserHistory, type RouterHistory, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Set while a dialog is open that the Back button closes. */
    dialog?: string | undefined;
  }
}

/** The parameters of addresses that open a dialog. */
const DIALOGS = ['ask', 'dialog', 'new', 'connect', 'toggle', 'provider', 'event', 'transfer', 'run'];

/** Whether an address opens a dialog. */
export const opensDialog = (search: object) =>
  DIALOGS.some((name) => (search as Record<string, unknown>)[name] !== undefined);

/**
 * The browser's history. An open dialog has an entry of its own, so that Back closes it. The page or dialog that a dialog
 * leads to takes over this entry, so that Back never returns to a closed dialog.
 */
export function createDialogHistory(): RouterHistory {
  const history = createBrowserHistory();
  const { push, replace } = history;
  history.push = (path, state, options) =>
    (history.location.state.dialog === undefined ? push : replace)(path, state, options);
  // A reload closes dialogs that are not part of the address.
  const { href, search, state } = history.location;
  if (state.dialog !== undefined && !opensDialog(Object.fromEntries(new URLSearchParams(search))))
    replace(href, { ...state, dialog: undefined });
  return history;
}

let opened = 0;

/** Lets the Back button close a dialog. Does nothing for a dialog that the address opens: Back closes these anyway. */
export function useBackCloses(isOpen: boolean, close: () => void) {
  const router = useRouter();
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    const { history } = router;
    if (!isOpen || opensDialog(router.state.location.search)) return;
    const dialog = String(++opened);
    void router.navigate({
      to: '.',
      search: true,
      hash: true,
      state: (state) => ({ ...state, dialog }),
      resetScroll: false,
    });
    const stop = history.subscribe(({ action: { type } }) => {
      const isPop = type === 'BACK' || type === 'GO' || type === 'FORWARD';
      if (isPop && history.location.state.dialog !== dialog) latest.current();
    });
    return () => {
      stop();
      // Closed by other means than Back. A navigation that follows takes over the entry first.
      setTimeout(() => {
        if (history.location.state.dialog === dialog) history.back();
      });
    };
  }, [isOpen, router]);
}

import { useBlocker } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { opensDialog } from '../kit/browser/dialog-history.ts';
import { hasUnsaved, useHasUnsaved } from '../kit/form/unsaved.ts';

const DiscardDialog = lazy(() =>
  import('./discard-dialog.tsx').then(({ DiscardDialog: dialog }) => ({ default: dialog })),
);

interface Place {
  pathname: string;
  search: object;
}

/** Asks before unsaved input is lost: when someone opens another page or tab, or closes the dialog with the form. */
export function UnsavedChanges() {
  const some = useHasUnsaved();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => hasUnsaved() && loses(current, next),
    enableBeforeUnload: hasUnsaved,
    disabled: !some,
    withResolver: true,
  });
  // Loaded with the first unsaved input: when the question comes, the server may be unreachable.
  if (!some && status !== 'blocked') return null;
  return (
    <Suspense>
      <DiscardDialog opened={status === 'blocked'} keep={() => reset?.()} discard={() => proceed?.()} />
    </Suspense>
  );
}

const tabOf = ({ search }: Place) => (search as { tab?: unknown }).tab;

/** Filters, sorting and paging keep the forms of a page. */
function loses(current: Place, next: Place): boolean {
  return (
    current.pathname !== next.pathname ||
    tabOf(current) !== tabOf(next) ||
    (opensDialog(current.search) && !opensDialog(next.search))
  );
}

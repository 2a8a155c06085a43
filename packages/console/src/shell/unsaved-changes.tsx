import { useBlocker } from '@tanstack/react-router';
import { opensDialog } from '../kit/browser/dialog-history.ts';
import { lazyPart } from '../kit/controls/lazy-part.tsx';
import { hasUnsaved, useHasUnsaved } from '../kit/form/unsaved.ts';

const DiscardDialog = lazyPart(async () => (await import('./discard-dialog.tsx')).DiscardDialog, {
  // Stays on the page: nothing may be lost without a question.
  leave: ({ keep }) => keep(),
});

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
  return <DiscardDialog opened={status === 'blocked'} keep={() => reset?.()} discard={() => proceed?.()} />;
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

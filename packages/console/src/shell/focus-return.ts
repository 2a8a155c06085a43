import { useEffect } from 'react';

/** Returns the focus when a dialog closes. Mantine only does so for dialogs that stay mounted, and most of ours do not. */
export function useFocusReturn(): void {
  useEffect(() => {
    const openers = new Map<Element, HTMLElement>();
    let last: HTMLElement | undefined;
    const observer = new MutationObserver(() => {
      for (const [dialog, opener] of openers) {
        if (dialog.isConnected) continue;
        openers.delete(dialog);
        const isLost = document.activeElement === null || document.activeElement === document.body;
        if (isLost && opener.isConnected) opener.focus({ preventScroll: true });
      }
      if (openers.size === 0) observer.disconnect();
    });
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      const dialog = target.closest('[role="dialog"]');
      if (dialog !== null && !openers.has(dialog) && last !== undefined && !dialog.contains(last)) {
        openers.set(dialog, last);
        observer.observe(document.body, { childList: true, subtree: true });
      }
      last = target;
    };
    document.addEventListener('focusin', remember);
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, []);
}

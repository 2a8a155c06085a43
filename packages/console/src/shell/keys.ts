import { t } from '@lingui/core/macro';
import { isElsewhere, usePresses } from '../kit/browser/keys.ts';

/** The keys that open the search, as this computer's keyboard names them. */
export const FIND_KEYS = /mac|iphone|ipad/i.test(navigator.platform) ? t`⌘K` : t`Ctrl+K`;

/** Listens for the shortcuts of every page. Tables have more (kit/table/table-keys.ts). */
export function useShortcuts({ find, help }: { find: () => void; help: () => void }) {
  usePresses((event) => {
    if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      find();
      return;
    }
    if (isElsewhere(event)) return;
    if (event.key === '?') help();
    if (event.key !== '/') return;
    event.preventDefault();
    const field = document.querySelector<HTMLInputElement>('main [data-search]');
    if (field === null) find();
    else field.select();
  });
}

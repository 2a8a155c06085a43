import { t } from '@lingui/core/macro';
import { Dialog } from '../kit/controls/dialog.tsx';
import { Properties } from '../kit/controls/properties.tsx';
import { FIND_KEYS } from './keys.ts';

const keys = [
  [FIND_KEYS, t`Search pages, people, accounts and apps`],
  ['/', t`Go to the search field on this page`],
  [t`j, k`, t`Move to the next or previous row`],
  [t`Enter`, t`Open the row`],
  ['x', t`Select the row`],
  [t`y, n`, t`In a review: keep or revoke, then move to the next row`],
  ['c', t`In a review: decide with a comment`],
  ['i', t`In a review: show the details of the item`],
  [t`j, k, a, d`, t`In approvals: next, previous, approve, deny`],
  ['f', t`In findings: fix what the row is about, if one step does it`],
  [t`a, r`, t`In findings: accept or reopen`],
  [t`s, m`, t`In findings: assign to somebody, or to me`],
  ['?', t`Show keyboard shortcuts`],
  [t`Esc`, t`Close the open dialog`],
] as const;

export function KeysHelp({ close }: { close: () => void }) {
  return (
    <Dialog onClose={close} title={t`Keyboard shortcuts`}>
      <Properties of={keys} />
    </Dialog>
  );
}

import { Modal } from '@mantine/core';
import { useBackCloses } from '../parts/dialog-history.ts';
import { Properties } from '../parts/properties.tsx';
import { FIND_KEYS } from './keys.ts';

const keys = [
  [FIND_KEYS, 'Search pages, people, accounts and apps'],
  ['/', 'Go to the search field on this page'],
  ['j, k', 'Move to the next or previous row'],
  ['Enter', 'Open the row'],
  ['x', 'Select the row'],
  ['y, n', 'In a review: keep or revoke, then move to the next row'],
  ['c', 'In a review: decide with a comment'],
  ['j, k, a, d', 'In approvals: next, previous, approve, deny'],
  ['?', 'Show keyboard shortcuts'],
  ['Esc', 'Close the open dialog'],
] as const;

export function KeysHelp({ close }: { close: () => void }) {
  useBackCloses(true, close);
  return (
    <Modal opened onClose={close} title="Keyboard shortcuts">
      <Properties of={keys} />
    </Modal>
  );
}

import { Modal } from '@mantine/core';
import { Properties } from '../parts/properties.tsx';

const keys = [
  ['⌘ K or Ctrl K', 'Search pages, people, accounts and apps'],
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
  return (
    <Modal opened onClose={close} title="Keyboard shortcuts">
      <Properties of={keys} />
    </Modal>
  );
}

import { Modal } from '@mantine/core';
import { Properties } from '../parts/properties.tsx';

const keys = [
  ['⌘ K or Ctrl K', 'Find a page, a person, an account, an app'],
  ['/', 'Go to the search field of this page'],
  ['j, k', 'Next and previous row of the table'],
  ['Enter', 'Open the row'],
  ['x', 'Choose the row'],
  ['y, n', 'In a review: keep, or revoke, and go on to the next row'],
  ['c', 'In a review: decide with a comment'],
  ['j, k, a, d', 'Under Approvals: next, previous, approve, deny'],
  ['?', 'These keys'],
  ['Esc', 'Close what is open'],
] as const;

export function KeysHelp({ close }: { close: () => void }) {
  return (
    <Modal opened onClose={close} title="Keys">
      <Properties of={keys} />
    </Modal>
  );
}

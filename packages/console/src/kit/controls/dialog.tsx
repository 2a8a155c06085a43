import { Modal, type ModalProps } from '@mantine/core';
import { useBackCloses } from '../browser/dialog-history.ts';

/** A dialog that the Back button closes. Dialogs that an address opens do not need it. */
export function Dialog({ opened = true, ...props }: Omit<ModalProps, 'opened'> & { opened?: boolean }) {
  useBackCloses(opened, props.onClose);
  return <Modal opened={opened} {...props} />;
}

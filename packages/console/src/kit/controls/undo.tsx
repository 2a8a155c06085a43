import { t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { notifyFailure } from '../../api/client.ts';

const SHOWN_MS = 10_000;

interface Offer {
  /** "Item removed" */
  message: string;
  /** Takes the change back. Without it, the message has no button. */
  undo: (() => unknown) | undefined;
}

/**
 * Announces a change, and offers to undo it for 10 seconds. The message stays while the pointer or the
 * focus is in it. Only for changes that have taken effect and have an inverse: nothing is delayed. Returns a function that
 * hides the message.
 */
export function offerUndo({ message, undo }: Offer): () => void {
  const id = `undo-${crypto.getRandomValues(new Uint32Array(2)).join('-')}`;
  const holds = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hide = () => notifications.hide(id);
  const wait = () => {
    clearTimeout(timer);
    if (holds.size === 0) timer = setTimeout(hide, SHOWN_MS);
  };
  const hold = (why: string) => () => {
    holds.add(why);
    wait();
  };
  const release = (why: string) => () => {
    holds.delete(why);
    wait();
  };
  const takeBack = async () => {
    clearTimeout(timer);
    hide();
    try {
      await undo?.();
      notifications.show({ message: t`Undone`, color: 'green', autoClose: 4000 });
    } catch (error) {
      notifyFailure(error);
    }
  };
  notifications.show({
    id,
    message: (
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <span>{message}</span>
        {undo !== undefined && (
          <Button variant="light" size="compact-sm" miw="max-content" onClick={() => void takeBack()}>
            {t`Undo`}
          </Button>
        )}
      </Group>
    ),
    color: 'green',
    autoClose: false,
    onMouseEnter: hold('pointer'),
    onMouseLeave: release('pointer'),
    onFocus: hold('focus'),
    onBlur: release('focus'),
    onClose: () => clearTimeout(timer),
  });
  wait();
  return hide;
}

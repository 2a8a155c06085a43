import { Button, FileButton, Text } from '@mantine/core';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { IconUpload } from '../icons/icons.ts';
import classes from './file-drop.module.css';

interface Props {
  /** Such as ".csv,.xlsx". */
  accept: string;
  /** The label of the button. */
  action: string;
  /** Says what else can be done: drop a file here. */
  hint: string;
  pending: boolean;
  take: (file: File) => void;
  children?: ReactNode;
}

/** Takes a file that is chosen with a button, or dropped. */
export function FileDrop({ accept, action, hint, pending, take, children }: Props) {
  const reset = useRef<() => void>(null);
  const [isOver, setOver] = useState(false);
  const choose = (file: File | null | undefined) => {
    // Choosing the same file again, once it is corrected, must count as a change.
    reset.current?.();
    if (file != null && !pending) take(file);
  };
  const over = (event: DragEvent) => {
    // oxlint-disable-next-line lingui/no-unlocalized-strings
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    choose(event.dataTransfer.files[0]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same with the keyboard.
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FileButton accept={accept} resetRef={reset} onChange={choose}>
        {(button) => (
          <Button leftSection={<IconUpload size={15} aria-hidden />} loading={pending} {...button}>
            {action}
          </Button>
        )}
      </FileButton>
      <Text size="sm" c="dimmed">
        {hint}
      </Text>
      {children}
    </div>
  );
}

import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Group } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '../icons/icons.ts';

interface Props {
  value: string;
  /** The value's name, for the button: "app ID". */
  what: string;
  /** Shows a button with text instead of an icon. */
  labelled?: boolean;
}

/** Copies a text to the clipboard. */
export function Copy({ value, what, labelled = false }: Props) {
  const clipboard = useClipboard({ timeout: 1500 });
  const Icon = clipboard.copied ? IconCheck : IconCopy;
  const copy = () => clipboard.copy(value);
  if (labelled) {
    return (
      <Button variant="default" leftSection={<Icon size={16} aria-hidden />} onClick={copy}>
        {clipboard.copied ? t`Copied` : t`Copy ${what}`}
      </Button>
    );
  }
  return (
    // Mantine's tooltips need much code, and the first page has this button.
    <ActionIcon
      size="sm"
      aria-label={t`Copy ${what}`}
      title={clipboard.copied ? t`Copied` : t`Copy ${what}`}
      onClick={copy}
    >
      <Icon size={15} aria-hidden />
    </ActionIcon>
  );
}

/** A short value with its copy button. */
export function Copied({ value, what }: Props) {
  return (
    <Group gap={4} wrap="nowrap">
      <code>{value}</code>
      <Copy value={value} what={what} />
    </Group>
  );
}

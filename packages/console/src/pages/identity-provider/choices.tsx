import { Button, Group } from '@mantine/core';

interface Props<T extends string> {
  /** The name of the choice, for screen readers. */
  label: string;
  of: readonly { value: T; label: string }[];
  chosen: T | undefined;
  choose: (value: T) => void;
}

/** Buttons of which one is pressed at most. They wrap in narrow windows. */
export const Choices = <T extends string>({ label, of, chosen, choose }: Props<T>) => (
  <Group gap="xs" role="group" aria-label={label}>
    {of.map(({ value, label: name }) => (
      <Button
        key={value}
        variant={value === chosen ? 'light' : 'default'}
        aria-pressed={value === chosen}
        onClick={() => choose(value)}
      >
        {name}
      </Button>
    ))}
  </Group>
);

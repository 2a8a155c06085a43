import { t } from '@lingui/core/macro';
import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Copied } from '../../kit/controls/copy.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import type { Entry } from './products.ts';
import classes from './steps.module.css';

/** Numbered steps. */
export const Steps = ({ children }: { children: ReactNode }) => <ol className={classes.steps}>{children}</ol>;

export const Step = ({ title, children }: { title: string; children: ReactNode }) => (
  <li>
    <Title order={3} mb={6}>
      {title}
    </Title>
    <Stack gap="sm">{children}</Stack>
  </li>
);

interface BeginProps {
  at?: { console: string; menu: string } | undefined;
  choose: readonly Entry[];
}

/** Where people begin in a product, and what they choose there. */
export function Begin({ at, choose }: BeginProps) {
  return (
    <>
      {at !== undefined && <Place console={at.console} menu={at.menu} />}
      {choose.length > 0 && <Properties of={choose.map(([field, value]) => [field, value])} />}
    </>
  );
}

const Place = ({ console: place, menu }: NonNullable<BeginProps['at']>) => (
  <Text size="sm">{t`In the ${place}, open ${menu}.`}</Text>
);

/** Values to copy, under the names that the product gives to the fields. Those without a value are left out. */
export const ToCopy = ({ of }: { of: readonly Entry[] }) => (
  <Properties
    of={of.map(([field, value]) => [
      field,
      value === null ? undefined : <Copied key={field} value={value} what={field} />,
    ])}
  />
);

export const Notes = ({ of = [] }: { of?: readonly string[] | undefined }) =>
  of.map((note) => (
    <Text key={note} size="sm" c="dimmed">
      {note}
    </Text>
  ));

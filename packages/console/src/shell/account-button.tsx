import { t } from '@lingui/core/macro';
import { ActionIcon } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { IconUserCircle } from '../kit/icons/icons.ts';

const AccountMenu = lazy(() =>
  import('./account-menu.tsx').then(({ AccountMenu: menu }) => ({ default: menu })),
);

/** The button of the account menu, which loads the menu on first use. */
export function AccountButton() {
  const [isLoaded, load] = useState(false);
  const [opened, set] = useState(false);
  const button = (
    <ActionIcon
      aria-label={t`Your account`}
      aria-haspopup="menu"
      aria-expanded={opened}
      onClick={() => {
        load(true);
        set(true);
      }}
    >
      <IconUserCircle size={20} aria-hidden />
    </ActionIcon>
  );
  if (!isLoaded) return button;
  return (
    <Suspense fallback={button}>
      <AccountMenu opened={opened} set={set} />
    </Suspense>
  );
}

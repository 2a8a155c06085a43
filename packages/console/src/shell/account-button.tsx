import { t } from '@lingui/core/macro';
import { ActionIcon } from '@mantine/core';
import { useState } from 'react';
import { lazyPart } from '../kit/controls/lazy-part.tsx';
import { IconUserCircle } from '../kit/icons/icons.ts';

const AccountMenu = lazyPart(async () => (await import('./account-menu.tsx')).AccountMenu, {
  fallback: <Opener />,
  leave: ({ leave }) => leave(),
});

/** The button of the account menu, which loads the menu on first use. */
export function AccountButton() {
  const [isLoaded, load] = useState(false);
  const [opened, set] = useState(false);
  if (!isLoaded)
    return (
      <Opener
        open={() => {
          load(true);
          set(true);
        }}
      />
    );
  return <AccountMenu opened={opened} set={set} leave={() => load(false)} />;
}

function Opener({ open }: { open?: () => void }) {
  return (
    <ActionIcon
      aria-label={t`Your account`}
      aria-haspopup="menu"
      aria-expanded={open === undefined}
      onClick={open}
    >
      <IconUserCircle size={20} aria-hidden />
    </ActionIcon>
  );
}

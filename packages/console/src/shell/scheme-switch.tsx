import { t } from '@lingui/core/macro';
import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '../kit/icons/icons.ts';

/** Switches between light and dark. This browser remembers the choice (public/scheme.js). */
export function SchemeSwitch() {
  // Otherwise Mantine adds a <style> element during the change, which the content security policy blocks.
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const dark = useComputedColorScheme('light') === 'dark';
  const label = dark ? t`Use light theme` : t`Use dark theme`;
  return (
    <ActionIcon data-hint="scheme" aria-label={label} onClick={() => setColorScheme(dark ? 'light' : 'dark')}>
      {dark ? <IconSun size={18} aria-hidden /> : <IconMoon size={18} aria-hidden />}
    </ActionIcon>
  );
}

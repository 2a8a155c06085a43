import { ActionIcon, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';

/** Between light and dark; kept in this browser (see public/scheme.js). */
export function SchemeSwitch() {
  // Without this Mantine would add a <style> element for the length of the change.
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const dark = useComputedColorScheme('light') === 'dark';
  const label = dark ? 'Light colours' : 'Dark colours';
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} onClick={() => setColorScheme(dark ? 'light' : 'dark')}>
        {dark ? <IconSun size={18} aria-hidden /> : <IconMoon size={18} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}

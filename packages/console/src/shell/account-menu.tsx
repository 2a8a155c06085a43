import { t } from '@lingui/core/macro';
import { ActionIcon, Menu } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { VERSION } from '../../../protocol/src/version.ts';
import { useChange } from '../api/client.ts';
import { useMe } from '../api/me.ts';
import { IconHelpCircle, IconLogout, IconUserCircle } from '../kit/icons/icons.ts';
import { personName } from '../kit/text/words.ts';
import { chooseLanguage, type Language, language } from '../language/language.ts';
import { languages } from '../language/language-links.tsx';
import { roleWord } from '../people/roles.ts';
import { helpAddress } from './help-address.ts';
import { useSignOut } from './sign-out.ts';

interface Props {
  opened: boolean;
  set: (opened: boolean) => void;
  /** Called if the menu cannot be shown. */
  leave: () => void;
}

/** Shows who is signed in. Links to the profile and to the help about the page, chooses the language and signs out. */
export function AccountMenu({ opened, set }: Props) {
  const { me } = useMe();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const signOut = useChange(useSignOut());
  return (
    <Menu
      position="bottom-end"
      width={240}
      opened={opened}
      onChange={set}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <ActionIcon aria-label={t`Your account`}>
          <IconUserCircle size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {me !== undefined && (
          <Menu.Label>
            {personName(me)}, {roleWord(me.role)}
          </Menu.Label>
        )}
        <Menu.Item
          component={Link}
          to="/settings/profile"
          leftSection={<IconUserCircle size={16} aria-hidden />}
        >
          {t`My profile`}
        </Menu.Item>
        <Menu.Item
          component="a"
          href={helpAddress(path)}
          target="_blank"
          leftSection={<IconHelpCircle size={16} aria-hidden />}
        >
          {t`Help about this page`}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t`Language`}</Menu.Label>
        <Menu.RadioGroup value={language} onChange={(tag) => chooseLanguage(tag as Language)}>
          {languages.map(([tag, name]) => (
            <Menu.RadioItem key={tag} value={tag} lang={tag}>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={16} aria-hidden />}
          onClick={() => signOut.mutate(undefined)}
        >
          {t`Sign out`}
        </Menu.Item>
        <Menu.Label>{t`Gatehouse ${VERSION}`}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
}

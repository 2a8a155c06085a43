import { ActionIcon, Menu } from '@mantine/core';
import { IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { api, ok, useChange } from '../api/client.ts';
import { useMe } from '../api/me.ts';
import { personName } from '../parts/words.ts';

/** Shows who is signed in. Links to the profile and signs out. */
export function AccountMenu() {
  const { me } = useMe();
  const navigate = useNavigate();
  const client = useQueryClient();
  const signOut = useChange(async () => {
    await ok(api.POST('/auth/sign-out/'));
    client.clear();
    await navigate({ to: '/sign-in' });
  });
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon aria-label="Your account">
          <IconUserCircle size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {me !== undefined && (
          <Menu.Label>
            {personName(me)}, {me.role}
          </Menu.Label>
        )}
        <Menu.Item
          component={Link}
          to="/settings/profile"
          leftSection={<IconUserCircle size={16} aria-hidden />}
        >
          My profile
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={16} aria-hidden />}
          onClick={() => signOut.mutate(undefined)}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

import { t } from '@lingui/core/macro';
import { Button, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { api, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { type Action, ActionDialog } from '../../kit/action/action-dialog.tsx';
import { IconDots } from '../../kit/icons/icons.ts';
import { personName } from '../../kit/text/words.ts';
import { KeysOfPerson } from './keys-of-person.tsx';
import { MergeInto } from './merge-into.tsx';
import { OffboardDialog } from './offboard-dialog.tsx';
import type { Person } from './person.ts';
import { EditPersonDialog } from './person-dialogs.tsx';
import type { personSearch } from './search.ts';
import { SignInLink } from './sign-in-link.tsx';
import { StillSuspended } from './still-suspended.tsx';

type Ask = ReturnType<typeof personSearch>['ask'];

/** The actions on a person, for users who may change them. */
export function PersonActions({ person, ask, set }: { person: Person; ask: Ask; set: (ask: Ask) => void }) {
  const navigate = useNavigate();
  const name = personName(person);
  const { role, me } = useMe();
  const isOwner = role === 'owner';
  const isManaged = Object.values(person.sources ?? {}).includes('scim');
  const isActive = person.status === 'active';
  const close = () => set(undefined);
  const { external_uuid: user, email } = person;
  const params = { path: { user_id: user } };
  const actions: Partial<Record<NonNullable<Ask>, Action>> = {
    deactivate: {
      title: t`Deactivate ${name}?`,
      sentence: (
        <>
          {t`They are signed out and can no longer sign in. Deactivation policies run. Check the resulting tasks afterwards.`}
          <KeysOfPerson user={user} />
        </>
      ),
      comment: t`Reason`,
      button: t`Deactivate person`,
      danger: true,
      request: (reason) => ok(api.POST('/api/users/{user_id}/deactivate/', { params, body: { reason } })),
      message: t`${name} deactivated`,
    },
    reactivate: {
      title: t`Reactivate ${name}?`,
      sentence: (
        <>
          {t`They can sign in again. Reactivation policies run.`}
          <StillSuspended user={user} />
        </>
      ),
      comment: t`Reason`,
      button: t`Reactivate person`,
      request: (reason) => ok(api.POST('/api/users/{user_id}/reactivate/', { params, body: { reason } })),
      message: t`${name} reactivated`,
    },
    'sign-out': {
      title: t`Sign out ${name} everywhere?`,
      sentence: t`All of their sessions end, and they must sign in again. Their API keys keep working.`,
      button: t`Sign out`,
      danger: true,
      request: () => ok(api.POST('/api/users/{user_id}/sign-out/', { params })),
      message: t`${name} signed out of all sessions`,
    },
    'second-factor': {
      title: t`Reset the second factor of ${name}?`,
      sentence: t`This removes their one-time codes and all of their passkeys, and ends their sessions. They can sign in with only their password until they set up a new second factor. Verify their identity before you do this.`,
      button: t`Reset second factor`,
      danger: true,
      request: () => ok(api.DELETE('/api/users/{user_id}/second-factor/', { params })),
      message: t`Second factor of ${name} reset`,
    },
    release: {
      title: t`Release ${name} from SCIM?`,
      sentence: t`All fields can be edited here again. The identity provider takes over the fields that it writes from then on.`,
      button: t`Release`,
      danger: true,
      request: () => ok(api.POST('/api/users/{user_id}/release/', { params })),
      message: t`${name} released`,
    },
    delete: {
      title: t`Delete ${name}?`,
      sentence: t`Delete only people who were added by mistake, and deactivate people who leave. Their accounts remain and become orphaned. This cannot be undone.`,
      button: t`Delete person`,
      type: email,
      request: () => ok(api.DELETE('/api/users/{user_id}/', { params })),
      message: t`${name} deleted`,
      after: () => navigate({ to: '/people' }),
    },
  };

  return (
    <>
      <Button variant="default" onClick={() => set('edit')}>
        {t`Edit`}
      </Button>
      {isActive && (
        <Button variant="default" onClick={() => set('link')}>
          {t`Create sign-in link`}
        </Button>
      )}
      {isActive && me?.external_uuid !== user && (
        <Button variant="default" onClick={() => set('offboard')}>
          {t`Offboard`}
        </Button>
      )}
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconDots size={15} aria-hidden />}>
            {t`More`}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {isActive && (
            <>
              <Menu.Item onClick={() => set('sign-out')}>{t`Sign out everywhere`}</Menu.Item>
              <Menu.Item onClick={() => set('second-factor')}>{t`Reset second factor`}</Menu.Item>
              <Menu.Divider />
              <Menu.Item onClick={() => set('deactivate')}>{t`Deactivate`}</Menu.Item>
            </>
          )}
          {!isActive && <Menu.Item onClick={() => set('reactivate')}>{t`Reactivate`}</Menu.Item>}
          <Menu.Item onClick={() => set('merge')}>{t`Merge another person into this one`}</Menu.Item>
          {isOwner && isManaged && (
            <Menu.Item onClick={() => set('release')}>{t`Release from SCIM`}</Menu.Item>
          )}
          <Menu.Item c="var(--gh-bad)" onClick={() => set('delete')}>
            {t`Delete`}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <EditPersonDialog opened={ask === 'edit'} close={close} person={person} />
      <SignInLink opened={ask === 'link'} close={close} person={person} />
      <OffboardDialog opened={ask === 'offboard'} close={close} person={person} />
      {ask === 'merge' && <MergeInto person={person} close={close} />}
      <ActionDialog of={ask && actions[ask]} close={close} />
    </>
  );
}

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { api, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { type Action, ActionDialog } from '../../kit/action/action-dialog.tsx';
import { IconDots } from '../../kit/icons/icons.ts';
import { personName } from '../../kit/text/words.ts';
import { KeysOfPerson } from './keys-of-person.tsx';
import { MergeInto } from './merge-into.tsx';
import type { Person } from './person.ts';
import { EditPersonDialog } from './person-dialogs.tsx';
import type { personSearch } from './search.ts';
import { SignInLink } from './sign-in-link.tsx';
import { StillSuspended } from './still-suspended.tsx';

type Ask = ReturnType<typeof personSearch>['ask'];

interface Props {
  person: Person;
  ask: Ask;
  set: (ask: Ask) => void;
}

/** The actions on a person, for users who may change them. */
export function PersonActions({ person, ask, set }: Props) {
  const navigate = useNavigate();
  const name = personName(person);
  const isOwner = useMe().role === 'owner';
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
          <Trans>
            They are signed out and can no longer sign in. Deactivation policies run. Check the resulting
            tasks afterwards.
          </Trans>
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
          <Trans>They can sign in again. Reactivation policies run.</Trans>
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
      sentence: (
        <Trans>All of their sessions end, and they must sign in again. Their API keys keep working.</Trans>
      ),
      button: t`Sign out`,
      danger: true,
      request: () => ok(api.POST('/api/users/{user_id}/sign-out/', { params })),
      message: t`${name} signed out of all sessions`,
    },
    'second-factor': {
      title: t`Reset the second factor of ${name}?`,
      sentence: (
        <Trans>
          This removes their one-time codes and all of their passkeys, and ends their sessions. They can sign
          in with only their password until they set up a new second factor. Verify their identity before you
          do this.
        </Trans>
      ),
      button: t`Reset second factor`,
      danger: true,
      request: () => ok(api.DELETE('/api/users/{user_id}/second-factor/', { params })),
      message: t`Second factor of ${name} reset`,
    },
    release: {
      title: t`Release ${name} from SCIM?`,
      sentence: (
        <Trans>
          All fields can be edited here again. The identity provider takes over the fields that it writes from
          then on.
        </Trans>
      ),
      button: t`Release`,
      danger: true,
      request: () => ok(api.POST('/api/users/{user_id}/release/', { params })),
      message: t`${name} released`,
    },
    delete: {
      title: t`Delete ${name}?`,
      sentence: (
        <Trans>
          Delete only people who were added by mistake, and deactivate people who leave. Their accounts remain
          and become orphaned. This cannot be undone.
        </Trans>
      ),
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
        <Trans>Edit</Trans>
      </Button>
      {isActive && (
        <Button variant="default" onClick={() => set('link')}>
          <Trans>Create sign-in link</Trans>
        </Button>
      )}
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconDots size={15} aria-hidden />}>
            <Trans>More</Trans>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {isActive && (
            <>
              <Menu.Item onClick={() => set('sign-out')}>
                <Trans>Sign out everywhere</Trans>
              </Menu.Item>
              <Menu.Item onClick={() => set('second-factor')}>
                <Trans>Reset second factor</Trans>
              </Menu.Item>
              <Menu.Divider />
              <Menu.Item onClick={() => set('deactivate')}>
                <Trans>Deactivate</Trans>
              </Menu.Item>
            </>
          )}
          {!isActive && (
            <Menu.Item onClick={() => set('reactivate')}>
              <Trans>Reactivate</Trans>
            </Menu.Item>
          )}
          <Menu.Item onClick={() => set('merge')}>
            <Trans>Merge another person into this one</Trans>
          </Menu.Item>
          {isOwner && isManaged && (
            <Menu.Item onClick={() => set('release')}>
              <Trans>Release from SCIM</Trans>
            </Menu.Item>
          )}
          <Menu.Item c="var(--gh-bad)" onClick={() => set('delete')}>
            <Trans>Delete</Trans>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <EditPersonDialog opened={ask === 'edit'} close={close} person={person} />
      <SignInLink opened={ask === 'link'} close={close} person={person} />
      {ask === 'merge' && <MergeInto person={person} close={close} />}
      <ActionDialog of={ask && actions[ask]} close={close} />
    </>
  );
}

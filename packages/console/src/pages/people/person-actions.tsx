import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { CommentDialog, type Commented } from '../../kit/controls/comment-dialog.tsx';
import { Confirm } from '../../kit/controls/confirm.tsx';
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
  const params = { path: { user_id: person.external_uuid } };
  const endSessions = useChange(() => ok(api.POST('/api/users/{user_id}/sign-out/', { params })), {
    showFailure: false,
    success: t`${name} signed out of all sessions`,
  });
  const resetFactor = useChange(() => ok(api.DELETE('/api/users/{user_id}/second-factor/', { params })), {
    showFailure: false,
    success: t`Second factor of ${name} reset`,
  });
  const release = useChange(() => ok(api.POST('/api/users/{user_id}/release/', { params })), {
    showFailure: false,
    success: t`${name} released`,
  });
  const remove = useChange(() => ok(api.DELETE('/api/users/{user_id}/', { params })), {
    showFailure: false,
    success: t`${name} deleted`,
    after: () => navigate({ to: '/people' }),
  });

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
      <StatusDialog person={person} ask={ask} close={close} />
      <Confirm
        opened={ask === 'sign-out'}
        close={close}
        title={t`Sign out ${name} everywhere?`}
        action={t`Sign out`}
        act={endSessions.mutateAsync}
      >
        <Trans>All of their sessions end, and they must sign in again. Their API keys keep working.</Trans>
      </Confirm>
      <Confirm
        opened={ask === 'second-factor'}
        close={close}
        title={t`Reset the second factor of ${name}?`}
        action={t`Reset second factor`}
        act={resetFactor.mutateAsync}
      >
        <Trans>
          This removes their one-time codes and all of their passkeys, and ends their sessions. They can sign
          in with only their password until they set up a new second factor. Verify their identity before you
          do this.
        </Trans>
      </Confirm>
      <Confirm
        opened={ask === 'release'}
        close={close}
        title={t`Release ${name} from SCIM?`}
        action={t`Release`}
        act={() => release.mutateAsync()}
      >
        <Trans>
          All fields can be edited here again. The identity provider takes over the fields that it writes from
          then on.
        </Trans>
      </Confirm>
      <Confirm
        opened={ask === 'delete'}
        close={close}
        title={t`Delete ${name}?`}
        action={t`Delete person`}
        type={person.email}
        act={() => remove.mutateAsync()}
      >
        <Trans>
          Delete only people who were added by mistake, and deactivate people who leave. Their accounts remain
          and become orphaned. This cannot be undone.
        </Trans>
      </Confirm>
    </>
  );
}

function StatusDialog({ person, ask, close }: Pick<Props, 'person' | 'ask'> & { close: () => void }) {
  const name = personName(person);
  const params = useMemo(() => ({ path: { user_id: person.external_uuid } }), [person.external_uuid]);
  const { mutateAsync: deactivate } = useChange(
    (reason: string) => ok(api.POST('/api/users/{user_id}/deactivate/', { params, body: { reason } })),
    { showFailure: false, success: t`${name} deactivated` },
  );
  const { mutateAsync: reactivate } = useChange(
    (reason: string) => ok(api.POST('/api/users/{user_id}/reactivate/', { params, body: { reason } })),
    { showFailure: false, success: t`${name} reactivated` },
  );
  const question = useMemo<Commented | undefined>(() => {
    if (ask === 'deactivate') {
      return {
        title: t`Deactivate ${name}?`,
        about: (
          <>
            <Trans>
              They are signed out and can no longer sign in. Deactivation policies run. Check the resulting
              tasks afterwards.
            </Trans>
            <KeysOfPerson user={person.external_uuid} />
          </>
        ),
        label: t`Reason`,
        action: t`Deactivate person`,
        danger: true,
        act: deactivate,
      };
    }
    if (ask === 'reactivate') {
      return {
        title: t`Reactivate ${name}?`,
        about: (
          <>
            <Trans>They can sign in again. Reactivation policies run.</Trans>
            <StillSuspended user={person.external_uuid} />
          </>
        ),
        label: t`Reason`,
        action: t`Reactivate person`,
        act: reactivate,
      };
    }
    return undefined;
  }, [ask, name, person.external_uuid, deactivate, reactivate]);
  return <CommentDialog ask={question} close={close} />;
}

import { Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { CommentDialog, type Commented } from '../../parts/comment-dialog.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { personName } from '../../parts/words.ts';
import { KeysOfPerson } from './keys-of-person.tsx';
import { MergeInto } from './merge-into.tsx';
import type { Person } from './person.ts';
import { EditPersonDialog } from './person-dialogs.tsx';
import type { personSearch } from './search.ts';
import { SignInLink } from './sign-in-link.tsx';

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
    success: `${name} signed out of all sessions`,
  });
  const resetFactor = useChange(() => ok(api.DELETE('/api/users/{user_id}/second-factor/', { params })), {
    showFailure: false,
    success: `Second factor of ${name} reset`,
  });
  const release = useChange(() => ok(api.POST('/api/users/{user_id}/release/', { params })), {
    showFailure: false,
    success: `${name} released`,
  });
  const remove = useChange(() => ok(api.DELETE('/api/users/{user_id}/', { params })), {
    showFailure: false,
    success: `${name} deleted`,
    after: () => navigate({ to: '/people' }),
  });

  return (
    <>
      <Button variant="default" onClick={() => set('edit')}>
        Edit
      </Button>
      {isActive && (
        <Button variant="default" onClick={() => set('link')}>
          Create sign-in link
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<IconDots size={15} aria-hidden />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {isActive && (
            <>
              <Menu.Item onClick={() => set('sign-out')}>Sign out everywhere</Menu.Item>
              <Menu.Item onClick={() => set('second-factor')}>Reset second factor</Menu.Item>
              <Menu.Divider />
              <Menu.Item onClick={() => set('deactivate')}>Deactivate</Menu.Item>
            </>
          )}
          {!isActive && <Menu.Item onClick={() => set('reactivate')}>Reactivate</Menu.Item>}
          <Menu.Item onClick={() => set('merge')}>Merge another person into this one</Menu.Item>
          {isOwner && isManaged && <Menu.Item onClick={() => set('release')}>Release from SCIM</Menu.Item>}
          <Menu.Item c="var(--gh-bad)" onClick={() => set('delete')}>
            Delete
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
        title={`Sign out ${name} everywhere?`}
        action="Sign out"
        act={endSessions.mutateAsync}
      >
        All of their sessions end, and they must sign in again. Their API keys keep working.
      </Confirm>
      <Confirm
        opened={ask === 'second-factor'}
        close={close}
        title={`Reset the second factor of ${name}?`}
        action="Reset second factor"
        act={resetFactor.mutateAsync}
      >
        This removes their one-time codes and all of their passkeys, and ends their sessions. They can sign in
        with only their password until they set up a new second factor. Verify their identity before you do
        this.
      </Confirm>
      <Confirm
        opened={ask === 'release'}
        close={close}
        title={`Release ${name} from SCIM?`}
        action="Release"
        act={() => release.mutateAsync()}
      >
        All fields can be edited here again. The identity provider takes over the fields that it writes from
        then on.
      </Confirm>
      <Confirm
        opened={ask === 'delete'}
        close={close}
        title={`Delete ${name}?`}
        action="Delete person"
        type={person.email}
        act={() => remove.mutateAsync()}
      >
        Delete only people who were added by mistake, and deactivate people who leave. Their accounts remain
        and become orphaned. This cannot be undone.
      </Confirm>
    </>
  );
}

function StatusDialog({ person, ask, close }: Pick<Props, 'person' | 'ask'> & { close: () => void }) {
  const name = personName(person);
  const params = useMemo(() => ({ path: { user_id: person.external_uuid } }), [person.external_uuid]);
  const { mutateAsync: deactivate } = useChange(
    (reason: string) => ok(api.POST('/api/users/{user_id}/deactivate/', { params, body: { reason } })),
    { showFailure: false, success: `${name} deactivated` },
  );
  const { mutateAsync: reactivate } = useChange(
    (reason: string) => ok(api.POST('/api/users/{user_id}/reactivate/', { params, body: { reason } })),
    { showFailure: false, success: `${name} reactivated` },
  );
  const question = useMemo<Commented | undefined>(() => {
    if (ask === 'deactivate') {
      return {
        title: `Deactivate ${name}?`,
        about: (
          <>
            They are signed out and can no longer sign in. Deactivation policies run. Check the resulting
            tasks afterwards.
            <KeysOfPerson user={person.external_uuid} />
          </>
        ),
        label: 'Reason',
        action: 'Deactivate person',
        danger: true,
        act: deactivate,
      };
    }
    if (ask === 'reactivate') {
      return {
        title: `Reactivate ${name}?`,
        about: 'They can sign in again. Reactivation policies run.',
        label: 'Reason',
        action: 'Reactivate person',
        act: reactivate,
      };
    }
    return undefined;
  }, [ask, name, person.external_uuid, deactivate, reactivate]);
  return <CommentDialog ask={question} close={close} />;
}

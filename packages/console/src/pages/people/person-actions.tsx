import { Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { CommentDialog, type Commented } from '../../parts/comment-dialog.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { personName } from '../../parts/words.ts';
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

/** What may be done with a person by who may change them. */
export function PersonActions({ person, ask, set }: Props) {
  const navigate = useNavigate();
  const name = personName(person);
  const isActive = person.status === 'active';
  const close = () => set(undefined);
  const params = { path: { user_id: person.external_uuid } };
  const endSessions = useChange(() => ok(api.POST('/api/users/{user_id}/sign-out/', { params })), {
    tell: false,
    said: `${name} is signed out everywhere.`,
  });
  const resetFactor = useChange(() => ok(api.DELETE('/api/users/{user_id}/second-factor/', { params })), {
    tell: false,
    said: `${name} signs in without a second factor until they set one up.`,
  });
  const remove = useChange(() => ok(api.DELETE('/api/users/{user_id}/', { params })), {
    tell: false,
    said: `${name} is deleted.`,
    after: () => navigate({ to: '/people' }),
  });

  return (
    <>
      <Button variant="default" onClick={() => set('edit')}>
        Edit
      </Button>
      {isActive && (
        <Button variant="default" onClick={() => set('link')}>
          Make sign-in link
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
              <Menu.Item onClick={() => set('sign-out')}>End their sessions</Menu.Item>
              <Menu.Item onClick={() => set('second-factor')}>Reset their second factor</Menu.Item>
              <Menu.Divider />
              <Menu.Item onClick={() => set('deactivate')}>Deactivate</Menu.Item>
            </>
          )}
          {!isActive && <Menu.Item onClick={() => set('reactivate')}>Reactivate</Menu.Item>}
          <Menu.Item c="var(--gh-bad)" onClick={() => set('delete')}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <EditPersonDialog opened={ask === 'edit'} close={close} person={person} />
      <SignInLink opened={ask === 'link'} close={close} person={person} />
      <StatusDialog person={person} ask={ask} close={close} />
      <Confirm
        opened={ask === 'sign-out'}
        close={close}
        title={`End the sessions of ${name}?`}
        action="End their sessions"
        act={endSessions.mutateAsync}
      >
        They are signed out everywhere, and have to sign in again. Their API keys go on.
      </Confirm>
      <Confirm
        opened={ask === 'second-factor'}
        close={close}
        title={`Reset the second factor of ${name}?`}
        action="Reset it"
        act={resetFactor.mutateAsync}
      >
        For somebody who lost it. They sign in with their password alone until they set one up again. Make
        sure that it is really they who ask.
      </Confirm>
      <Confirm
        opened={ask === 'delete'}
        close={close}
        title={`Delete ${name}?`}
        action="Delete the person"
        type={person.email}
        act={() => remove.mutateAsync()}
      >
        For mistakes: whoever left is better deactivated. Their accounts stay, and are nobody’s then. This
        cannot be taken back.
      </Confirm>
    </>
  );
}

function StatusDialog({ person, ask, close }: Pick<Props, 'person' | 'ask'> & { close: () => void }) {
  const name = personName(person);
  const params = useMemo(() => ({ path: { user_id: person.external_uuid } }), [person.external_uuid]);
  const { mutateAsync: deactivate } = useChange(
    (reason: string) => ok(api.POST('/api/users/{user_id}/deactivate/', { params, body: { reason } })),
    { tell: false, said: `${name} is deactivated.` },
  );
  const { mutateAsync: reactivate } = useChange(
    (reason: string) => ok(api.POST('/api/users/{user_id}/reactivate/', { params, body: { reason } })),
    { tell: false, said: `${name} is active again.` },
  );
  const question = useMemo<Commented | undefined>(() => {
    if (ask === 'deactivate') {
      return {
        title: `Deactivate ${name}?`,
        about:
          'They are signed out, and cannot sign in. Policies for leavers fire: look at their tasks afterwards.',
        label: 'Reason',
        action: 'Deactivate',
        danger: true,
        act: deactivate,
      };
    }
    if (ask === 'reactivate') {
      return {
        title: `Reactivate ${name}?`,
        about: 'They can sign in again. Policies for those who come back fire.',
        label: 'Reason',
        action: 'Reactivate',
        act: reactivate,
      };
    }
    return undefined;
  }, [ask, name, deactivate, reactivate]);
  return <CommentDialog ask={question} close={close} />;
}

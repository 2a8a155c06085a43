import { t } from '@lingui/core/macro';
import { Modal } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { api, load, ok } from '../../api/client.ts';
import { ifMatch } from '../../api/version.ts';
import { personName } from '../../kit/text/words.ts';
import type { Person } from './person.ts';
import { PersonForm } from './person-form.tsx';

interface Props {
  opened: boolean;
  close: () => void;
}

/** Adds a person and opens their page. */
export function NewPersonDialog({ opened, close }: Props) {
  const navigate = useNavigate();
  return (
    <Modal opened={opened} onClose={close} title={t`Add person`} size="lg">
      <PersonForm
        action={t`Add person`}
        send={(person) => ok(api.POST('/api/users/', { body: { email: '', ...person } }))}
        success={(person) => t`${{ person: personName(person) }} added`}
        after={({ external_uuid }) =>
          void navigate({ to: '/people/$userId', params: { userId: external_uuid } })
        }
      />
    </Modal>
  );
}

/** Edits a person's fields, role and attributes. */
export function EditPersonDialog({ opened, close, person }: Props & { person: Person }) {
  const path = { user_id: person.external_uuid };
  return (
    <Modal opened={opened} onClose={close} title={t`Edit ${{ person: personName(person) }}`} size="lg">
      <PersonForm
        of={person}
        read={() => load('/api/users/{user_id}/', { path })}
        action={t`Save`}
        send={(body, version) =>
          ok(api.PATCH('/api/users/{user_id}/', { params: { path, header: ifMatch(version) }, body }))
        }
        success={(saved) => t`${{ person: personName(saved) }} saved`}
        after={close}
      />
    </Modal>
  );
}

import { t } from '@lingui/core/macro';
import { Modal } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { api, ok } from '../../api/client.ts';
import { personName } from '../../parts/words.ts';
import type { Person } from './person.ts';
import { changesOf, draftOf, newDraft, PersonForm } from './person-form.tsx';

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
        initial={newDraft()}
        action={t`Add person`}
        send={(draft) =>
          ok(api.POST('/api/users/', { body: { email: draft.email, ...changesOf(draft, newDraft()) } }))
        }
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
  const before = draftOf(person);
  return (
    <Modal opened={opened} onClose={close} title={t`Edit ${{ person: personName(person) }}`} size="lg">
      <PersonForm
        initial={before}
        sources={person.sources}
        action={t`Save`}
        send={(draft) =>
          ok(
            api.PATCH('/api/users/{user_id}/', {
              params: { path: { user_id: person.external_uuid } },
              body: changesOf(draft, before),
            }),
          )
        }
        success={(saved) => t`${{ person: personName(saved) }} saved`}
        after={close}
      />
    </Modal>
  );
}

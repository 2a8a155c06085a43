import { t } from '@lingui/core/macro';
import { Modal } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, load, ok } from '../../api/client.ts';
import { ifMatch } from '../../api/version.ts';
import { editsFrom } from '../../kit/form/edits.ts';
import { personName } from '../../kit/text/words.ts';
import type { Person } from './person.ts';
import { changesOf, comparedRows, draftOf, newDraft, PersonForm } from './person-form.tsx';

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
  return (
    <Modal opened={opened} onClose={close} title={t`Edit ${{ person: personName(person) }}`} size="lg">
      <EditPerson person={person} close={close} />
    </Modal>
  );
}

function EditPerson({ person, close }: { person: Person; close: () => void }) {
  // Only what was changed since the form was filled is sent.
  const [before] = useState(() => draftOf(person));
  const path = { user_id: person.external_uuid };
  return (
    <PersonForm
      initial={before}
      sources={person.sources}
      action={t`Save`}
      send={(draft, version) =>
        ok(
          api.PATCH('/api/users/{user_id}/', {
            params: { path, header: ifMatch(version) },
            body: changesOf(draft, before),
          }),
        )
      }
      edits={editsFrom(person, () => load('/api/users/{user_id}/', { path }), draftOf, comparedRows)}
      success={(saved) => t`${{ person: personName(saved) }} saved`}
      after={close}
    />
  );
}

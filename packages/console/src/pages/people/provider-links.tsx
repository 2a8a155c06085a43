import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Answer, api, get, ok } from '../../api/client.ts';
import { ActionButton, IN_ROW } from '../../kit/action/action-button.tsx';
import { Section } from '../../kit/controls/section.tsx';
import * as column from '../../kit/table/columns.tsx';
import { type Column, TableView } from '../../kit/table/table-view.tsx';

type Link = Answer<'/auth/provider-links/'>['results'][number];

/** One's own accounts at sign-in providers. Shows nothing if there are none. */
export function MyProviderLinks() {
  const links = useQuery(get('/auth/provider-links/'));
  return (
    <Links
      links={links.data?.results}
      remove={(link_id) =>
        ok(api.DELETE('/auth/provider-links/{link_id}/', { params: { path: { link_id } } }))
      }
      consequence={t`The provider no longer signs you in with this account until you are linked again.`}
    />
  );
}

/** A person's accounts at sign-in providers, for those who may change the person. */
export function PersonProviderLinks({
  person: { external_uuid: user_id },
}: {
  person: { external_uuid: string };
}) {
  const links = useQuery(get('/api/users/{user_id}/provider-links/', { path: { user_id } }));
  return (
    <Links
      links={links.data?.results}
      remove={(link_id) =>
        ok(
          api.DELETE('/api/users/{user_id}/provider-links/{link_id}/', {
            params: { path: { user_id, link_id } },
          }),
        )
      }
      consequence={t`All sessions of this person end. The next account of the provider with their email address is linked instead: make sure that it is theirs.`}
    />
  );
}

interface Props {
  links: Link[] | undefined;
  remove: (id: string) => Promise<unknown>;
  consequence: ReactNode;
}

function Links({ links, remove, consequence }: Props) {
  const columns: Column<Link>[] = [
    column.title('name', t`Provider`),
    column.text('subject', t`Account`),
    column.moment('created_at', t`Linked`),
    column.cell('remove', t`Actions`, (link) => (
      <Unlink of={link} remove={remove} consequence={consequence} />
    )),
  ];
  if (links === undefined || links.length === 0) return null;
  return (
    <Section title={t`Sign-in providers`}>
      <TableView label={t`Sign-in providers`} columns={columns} rows={links} empty={null} />
    </Section>
  );
}

function Unlink({ of: { id, name }, remove, consequence }: Omit<Props, 'links'> & { of: Link }) {
  return (
    <ActionButton
      {...IN_ROW}
      label={t`Unlink`}
      fullLabel={t`Unlink ${name}`}
      of={{
        title: t`Unlink the account at ${name}?`,
        sentence: consequence,
        button: t`Unlink`,
        danger: true,
        request: () => remove(id),
        message: t`The account at ${name} was unlinked`,
      }}
    />
  );
}

import { plural, t } from '@lingui/core/macro';
import { Plural } from '@lingui/react/macro';
import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ok } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';
import { type Action, ActionDialog } from '../../kit/action/action-dialog.tsx';
import { Unready } from '../../kit/controls/unready.tsx';
import { fieldTitle } from '../../kit/text/field-words.ts';
import { listed } from '../../kit/text/listed.ts';
import { clientName, type ScimClient } from './scim-client.ts';

const PATH = '/api/scim-clients/{key_id}/release/';
type Release = paths[typeof PATH]['post']['responses'][200]['content']['application/json'];

/** Releases all people and groups of a client, after showing what that changes. */
export function ReleaseClient({ client, close }: { client: ScimClient; close: () => void }) {
  const [forgets, setForgets] = useState(false);
  const params = { path: { key_id: client.key.id } };
  const preview = useQuery({
    queryKey: [PATH, client.key.id, 'dry-run'],
    queryFn: () => ok(api.POST(PATH, { params, body: { dry_run: true } })),
    gcTime: 0,
  });
  const name = clientName(client);
  const action: Action<Release> = {
    title: t`Release all people of ${name}?`,
    sentence:
      preview.data !== undefined ? (
        <>
          <Consequences of={preview.data} />
          <Checkbox
            mt="sm"
            checked={forgets}
            onChange={({ currentTarget }) => setForgets(currentTarget.checked)}
            label={t`Forget their IDs in the identity provider`}
            description={t`For another provider, which has other IDs. Otherwise, somebody whom a client creates with the same ID is the same person.`}
          />
        </>
      ) : (
        <Unready of={preview} height={120} />
      ),
    button: t`Release people`,
    type: name,
    disabled: preview.data === undefined,
    request: () => ok(api.POST(PATH, { params, body: { forget_ids: forgets } })),
    message: ({ people }) => plural(people, { one: '# person released', other: '# people released' }),
  };
  return <ActionDialog of={action} close={close} />;
}

function Consequences({ of: { people, active, groups, with_role, kept_ids, fields } }: { of: Release }) {
  const editable = listed(fields.map(({ field }) => fieldTitle(field)));
  return (
    <>
      <p>
        <Plural
          value={people}
          one="# person stays as they are and can be edited here."
          other="# people stay as they are and can be edited here."
        />{' '}
        <Plural value={active} one="# of them is active." other="# of them are active." />
      </p>
      {groups > 0 && (
        <p>
          <Plural
            value={groups}
            one="# group stays with its members. Nobody changes them until a client takes it over."
            other="# groups stay with their members. Nobody changes them until a client takes them over."
          />{' '}
          {with_role > 0 && (
            <Plural
              value={with_role}
              one="# of them gives a role in Gatehouse."
              other="# of them give a role in Gatehouse."
            />
          )}
        </p>
      )}
      {editable !== '' && <p>{t`Fields that can be edited afterwards: ${editable}.`}</p>}
      {kept_ids > 0 && (
        <p>
          <Plural
            value={kept_ids}
            one="The ID of # person who was released or deleted before is still kept."
            other="The IDs of # people who were released or deleted before are still kept."
          />
        </p>
      )}
    </>
  );
}

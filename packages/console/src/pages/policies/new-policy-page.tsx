import { t } from '@lingui/core/macro';
import { Select } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Editor } from './editor.tsx';
import { leaverPolicy, TEMPLATES } from './policy-fields.tsx';
import { newPolicySearch } from './search.ts';

const EMPTY = t`An empty policy`;

export function NewPolicyPage() {
  const { manages } = useMe();
  const navigate = useNavigate();
  const [{ leavers, days = 30 }] = useAddress(newPolicySearch);
  const given = leavers === undefined ? [] : [leaverPolicy(leavers, days)];
  const templates = [...given, ...TEMPLATES];
  const [start, setStart] = useState(given[0]?.name ?? EMPTY);
  return (
    <>
      <PageHeader title={t`New policy`} above={<TextLink to="/policies">{t`Policies`}</TextLink>} />
      {manages ? (
        <>
          <Select
            label={t`Start from`}
            data={[EMPTY, ...templates.map(({ name }) => name)]}
            value={start}
            onChange={(label) => setStart(label ?? EMPTY)}
            allowDeselect={false}
            w={360}
            maw="100%"
            mb="md"
          />
          <Editor
            key={start}
            of={templates.find(({ name }) => name === start)}
            action={t`Save and preview`}
            about={t`The policy is saved disabled. Check the preview, then enable it.`}
            send={(body) => ok(api.POST('/api/policies/', { body: { ...body, enabled: false } }))}
            success={t`Policy saved but not enabled`}
            after={({ external_uuid }) =>
              void navigate({
                to: '/policies/$policyId',
                params: { policyId: external_uuid },
                search: { preview: true },
              })
            }
          />
        </>
      ) : (
        <Empty title={t`Your role does not allow this`}>
          {t`Only owners and administrators can create policies.`}
        </Empty>
      )}
    </>
  );
}

import { t } from '@lingui/core/macro';
import { Select } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Editor } from './editor.tsx';
import { TEMPLATES } from './policy-fields.tsx';

const EMPTY = t`An empty policy`;

export function NewPolicyPage() {
  const { manages } = useMe();
  const navigate = useNavigate();
  const [start, setStart] = useState(EMPTY);
  return (
    <>
      <PageHeader title={t`New policy`} above={<TextLink to="/policies">{t`Policies`}</TextLink>} />
      {manages ? (
        <>
          <Select
            label={t`Start from`}
            data={[EMPTY, ...TEMPLATES.map(({ name }) => name)]}
            value={start}
            onChange={(label) => setStart(label ?? EMPTY)}
            allowDeselect={false}
            w={360}
            maw="100%"
            mb="md"
          />
          <Editor
            key={start}
            of={TEMPLATES.find(({ name }) => name === start)}
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

import { useNavigate } from '@tanstack/react-router';
import { api, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Empty } from '../../parts/empty.tsx';
import { TextLink } from '../../parts/links.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Editor } from './editor.tsx';
import { bodyOf, type Draft, NEW } from './policy.ts';

export function NewPolicyPage() {
  const { manages } = useMe();
  const navigate = useNavigate();
  const create = useChange(
    (draft: Draft) => ok(api.POST('/api/policies/', { body: { ...bodyOf(draft), enabled: false } })),
    {
      said: 'Policy saved. It does nothing until it is enabled.',
      tell: false,
      after: ({ external_uuid }) =>
        void navigate({
          to: '/policies/$policyId',
          params: { policyId: external_uuid },
          search: { preview: true },
        }),
    },
  );
  return (
    <>
      <PageHeader title="New policy" above={<TextLink to="/policies">Policies</TextLink>} />
      {manages ? (
        <Editor
          from={NEW}
          action="Save, and preview"
          about="It is saved disabled: look at what it would do, then enable it."
          busy={create.isPending}
          error={create.error}
          save={create.mutate}
        />
      ) : (
        <Empty title="This is not for your role">Owners and administrators make policies.</Empty>
      )}
    </>
  );
}

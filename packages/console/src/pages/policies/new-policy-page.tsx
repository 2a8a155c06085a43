import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { api, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Editor } from './editor.tsx';
import { bodyOf, NEW } from './policy.ts';

export function NewPolicyPage() {
  const { manages } = useMe();
  const navigate = useNavigate();
  return (
    <>
      <PageHeader
        title={t`New policy`}
        above={
          <TextLink to="/policies">
            <Trans>Policies</Trans>
          </TextLink>
        }
      />
      {manages ? (
        <Editor
          from={NEW}
          action={t`Save and preview`}
          about={t`The policy is saved disabled. Check the preview, then enable it.`}
          send={(draft) => ok(api.POST('/api/policies/', { body: { ...bodyOf(draft), enabled: false } }))}
          success={t`Policy saved but not enabled`}
          after={({ external_uuid }) =>
            void navigate({
              to: '/policies/$policyId',
              params: { policyId: external_uuid },
              search: { preview: true },
            })
          }
        />
      ) : (
        <Empty title={t`Your role does not allow this`}>
          <Trans>Only owners and administrators can create policies.</Trans>
        </Empty>
      )}
    </>
  );
}

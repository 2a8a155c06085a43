import { t } from '@lingui/core/macro';
import { useNavigate } from '@tanstack/react-router';
import { api, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { ButtonLink, TextLink } from '../../kit/controls/links.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Editor } from './editor.tsx';
import { newPolicySearch } from './search.ts';
import { TemplateCards } from './template-cards.tsx';
import { type Start, startOf } from './templates.ts';

export function NewPolicyPage() {
  const { manages } = useMe();
  const [{ from, days }] = useAddress(newPolicySearch);
  return (
    <>
      <PageHeader
        title={t`New policy`}
        above={<TextLink to="/policies">{t`Policies`}</TextLink>}
        about={
          manages && from === undefined
            ? t`Choose a template. You can change everything in the next step.`
            : undefined
        }
        actions={
          manages &&
          (from === undefined ? (
            <ButtonLink variant="default" to="/policies/new" search={{ from: 'empty' }}>
              {t`Start empty`}
            </ButtonLink>
          ) : (
            <ButtonLink variant="default" to="/policies/new">
              {t`Show templates`}
            </ButtonLink>
          ))
        }
      />
      {!manages ? (
        <Empty title={t`Your role does not allow this`}>
          {t`Only owners and administrators can create policies.`}
        </Empty>
      ) : from === undefined ? (
        <TemplateCards />
      ) : (
        <NewPolicy key={from} {...(from === 'empty' ? {} : startOf(from, days))} />
      )}
    </>
  );
}

function NewPolicy({ policy, begin }: Partial<Pick<Start, 'policy' | 'begin'>>) {
  const navigate = useNavigate();
  return (
    <Editor
      of={policy}
      begin={begin}
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
  );
}

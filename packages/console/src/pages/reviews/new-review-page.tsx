import { plural, t } from '@lingui/core/macro';
import { Skeleton } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { CampaignEditor } from './campaign-form.tsx';
import classes from './new-review.module.css';
import { previewOf } from './preview-query.ts';
import { newReviewSearch } from './search.ts';
import { SettingsPreview } from './settings-preview.tsx';
import { TEMPLATES, type Template } from './templates.ts';

/** Begins with a template, and shows what a review would have while the settings are written. */
export function NewReviewPage() {
  const { manages } = useMe();
  const [{ template: id }] = useAddress(newReviewSearch);
  const template = TEMPLATES.find((one) => one.id === id);
  const isChosen = template !== undefined || id === 'empty';
  return (
    <>
      <PageHeader
        title={t`New campaign`}
        above={
          isChosen ? (
            <TextLink to="/reviews/new">{t`All templates`}</TextLink>
          ) : (
            <TextLink to="/reviews">{t`Access reviews`}</TextLink>
          )
        }
        about={isChosen ? undefined : t`Choose how to begin. You can change everything before you save it.`}
      />
      {!manages ? (
        <Empty title={t`Your role does not allow this`}>
          {t`Only owners and administrators can create campaigns.`}
        </Empty>
      ) : isChosen ? (
        <NewCampaign key={id} template={template} />
      ) : (
        <Templates />
      )}
    </>
  );
}

function NewCampaign({ template }: { template: Template | undefined }) {
  const navigate = useNavigate();
  return (
    <CampaignEditor
      action={t`Create campaign`}
      initial={template?.settings}
      send={(body) => ok(api.POST('/api/reviews/', { body }))}
      success={t`Campaign created`}
      after={({ external_uuid }) =>
        void navigate({ to: '/reviews/$reviewId', params: { reviewId: external_uuid } })
      }
      beside={(settings) => <SettingsPreview of={settings} />}
    />
  );
}

const AT_ONCE = 2;

/** The templates, each with what it would review now. */
function Templates() {
  // Two at a time: in a large organization, each one takes the server a while.
  const [asked, setAsked] = useState(AT_ONCE);
  const previews = useQueries({
    queries: TEMPLATES.map(({ settings }, at) => ({ ...previewOf(settings), enabled: at < asked })),
  });
  const settled = previews.filter(({ isPending }) => !isPending).length;
  useEffect(() => setAsked(settled + AT_ONCE), [settled]);
  return (
    <ul className={classes.templates}>
      {TEMPLATES.map(({ id, name, about }, at) => (
        <li key={id}>
          <TextLink to="/reviews/new" search={{ template: id }} inherit className={classes.template}>
            <strong>{name}</strong>
            <span className={classes.about}>{about}</span>
            <span className={classes.counts}>
              {previews[at]?.data === undefined
                ? !previews[at]?.isError && <Skeleton height={14} width={180} />
                : countWords(previews[at].data)}
            </span>
          </TextLink>
        </li>
      ))}
      <li>
        <TextLink to="/reviews/new" search={{ template: 'empty' }} inherit className={classes.template}>
          <strong>{t`Without a template`}</strong>
          <span className={classes.about}>{t`Choose the access, the reviewers and the times yourself.`}</span>
        </TextLink>
      </li>
    </ul>
  );
}

interface Counts {
  items: number;
  people: number;
  with_deviations: number;
}

function countWords({ items, people, with_deviations }: Counts): string {
  if (items === 0) return t`Nothing to review now`;
  return [
    plural(items, { one: '# item', other: '# items' }),
    plural(people, { one: '# person', other: '# people' }),
    plural(with_deviations, { one: '# with deviations', other: '# with deviations' }),
  ].join(', ');
}

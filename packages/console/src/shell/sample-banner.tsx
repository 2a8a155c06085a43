import { t } from '@lingui/core/macro';
import { Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { api, ok } from '../api/client.ts';
import { useMe } from '../api/me.ts';
import { ActionButton } from '../kit/action/action-button.tsx';
import classes from './layout.module.css';

/** Says on every page what is fictional, and removes it. */
export function SampleBanner() {
  const { manages } = useMe();
  const navigate = useNavigate();
  return (
    <aside className={classes.sample} aria-label={t`Sample company`}>
      <span>{t`This organization has a sample company. The people at sample-company.test and their apps are fictional.`}</span>
      {manages && (
        <ActionButton
          label={t`Remove it`}
          variant="default"
          size="compact-sm"
          of={{
            title: t`Remove the sample company?`,
            sentence: (
              <Stack gap="xs">
                <Text size="sm">
                  {t`Its apps, people, policy and review are removed, with everything in them: accounts, tasks, requests, and reviews of its apps. The events stay.`}
                </Text>
                <Text size="sm">
                  {t`An app of the sample that you have made real, with a connector, an upload or an approved request, is archived and not removed. A person who has another role or can sign in stays.`}
                </Text>
                <Text size="sm">
                  {t`People, apps, policies and reviews of your own stay. A person named in your own records, such as a request for another app, is deactivated and not removed.`}
                </Text>
              </Stack>
            ),
            button: t`Remove sample company`,
            danger: true,
            request: () => ok(api.DELETE('/api/organization/sample/')),
            message: ({ apps_archived: archived, people_deactivated: deactivated, people_kept: kept }) =>
              archived + deactivated + kept === 0
                ? t`Sample company removed`
                : t`Sample company removed. Apps archived: ${archived}. People deactivated: ${deactivated}. People who stay: ${kept}.`,
            after: () => navigate({ to: '/' }),
          }}
        />
      )}
    </aside>
  );
}

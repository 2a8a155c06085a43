import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { held } from '../../access/access-fields.tsx';
import { chosenOf, idsBySlug } from '../../access/chosen.ts';
import { api, get, ok } from '../../api/client.ts';
import { AppName } from '../../apps/app-name.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { ButtonLink } from '../../kit/controls/links.tsx';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import { FormFailure } from '../../kit/form/form-failure.tsx';
import { area, text } from '../../kit/form/text-fields.tsx';
import { formatTag } from '../../language/language.ts';
import { ApprovalPreview } from './approval-preview.tsx';
import classes from './catalog.module.css';
import { shortLabel } from './ticket.ts';
import { useIsDisconnected, Warnings } from './warnings.tsx';

interface Props {
  app: string;
  user: string;
  /** Null for the user who is signed in. */
  requester: string | null;
  own: boolean;
}

const FIELDS = {
  chosen: held({
    label: t`Groups and licenses to extend`,
    description: t`Leave empty to extend all access that has an end date.`,
  }),
  /** A day in the organization's time zone. */
  end_time: text({
    label: t`End date`,
    description: t`The new last day of access.`,
    type: 'date',
    required: true,
  }),
  initial_comment: area({
    label: t`Reason`,
    description: t`The approvers can read it.`,
    required: true,
    maxLength: 2000,
    rows: 3,
  }),
};

/** Requests a later end of access that has one. */
export function ExtensionForm({ app, user, requester, own }: Props) {
  const navigate = useNavigate();
  const { account, isPending } = useAccount(app, user);
  const { nextEnd, isLoading } = useNextEnd(app, user);
  const isDisconnected = useIsDisconnected(app);
  const form = useFields(FIELDS, {
    send: ({ chosen, ...body }) =>
      ok(
        api.POST('/api/tickets/', {
          body: {
            ...body,
            app,
            user,
            requester,
            type: 'EXTEND_ACCESS',
            memberships: idsBySlug(chosen, 'group'),
            assignments: idsBySlug(chosen, 'license'),
          },
        }),
      ),
    fieldOf: (path) => (/^(memberships|assignments)\b/.test(path) ? 'chosen' : path),
    success: (ticket) => createdWords(shortLabel(ticket)),
    after: ({ external_uuid }) =>
      void navigate({ to: '/requests/$ticketId', params: { ticketId: external_uuid } }),
  });
  if (isPending || isLoading) return <Skeleton height={160} />;
  if (nextEnd === undefined) {
    return (
      <Empty
        title={t`No access ends`}
        actions={
          <ButtonLink to="/requests/new" search={{ app, user }}>
            <Trans>Request access</Trans>
          </ButtonLink>
        }
      >
        <Trans>Only access that has an end date can be extended.</Trans>
      </Empty>
    );
  }
  const ends = nextEnd.toLocaleDateString(formatTag);
  return (
    <form onSubmit={form.submit} className={classes.form}>
      <Stack gap="md">
        <p className={classes.small}>
          <Trans>
            Extension of access to <AppName id={app} /> that ends on {ends}
          </Trans>
        </p>
        <Fields
          of={form}
          props={{
            chosen: { held: account === undefined ? [] : chosenOf(account) },
            end_time: { min: nextEnd.toLocaleDateString('sv') },
          }}
        />
        <Warnings app={app} user={user} chosen={form.values.chosen} />
        <ApprovalPreview appId={app} user={user} requester={requester} own={own} />
        <FormFailure of={form.failure} />
        <Group justify="flex-end">
          <Button type="submit" loading={form.pending} disabled={isDisconnected}>
            <Trans>Request access</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const createdWords = (name: string) => t`${name} created`;

/** Returns the earliest future end of the person's approved access to an app. */
function useNextEnd(app: string, user: string) {
  const { data, isPending } = useQuery(
    get('/api/tickets/', { query: { app, user, ticket_status: 'APPROVED', limit: 100 } }),
  );
  const ends = (data?.results ?? []).flatMap(({ end_time }) =>
    end_time === null ? [] : [new Date(end_time)],
  );
  const [nextEnd] = ends
    .filter((end) => end > new Date())
    .sort((one, other) => one.getTime() - other.getTime());
  return { nextEnd, isLoading: isPending };
}

/** Reads a person's account in an app. Reads nothing if either ID is null. */
function useAccount(appId: string | null, userId: string | null) {
  const enabled = appId !== null && userId !== null;
  const { data, isPending } = useQuery({
    ...get('/api/accounts/', { query: { app: appId ?? '', user: userId ?? '', limit: 20 } }),
    enabled,
  });
  const live = data?.results.filter(({ status }) => status !== 'INACTIVE');
  return { account: enabled ? (live ?? [])[0] : undefined, isPending: enabled && isPending };
}

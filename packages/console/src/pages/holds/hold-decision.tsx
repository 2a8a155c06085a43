import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton } from '@mantine/core';
import { useMemo } from 'react';
import { api, ok, useChange } from '../../api/client.ts';
import { type Hold, holdTitle } from '../../holds/hold.ts';
import { CommentDialog, type Commented } from '../../kit/controls/comment-dialog.tsx';
import { Confirm } from '../../kit/controls/confirm.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { grouped } from '../../kit/text/words.ts';
import { previewWords, usePreview } from './hold-preview.tsx';

interface Props {
  hold: Hold;
  ask: 'confirm' | 'discard' | undefined;
  close: () => void;
}

/** Confirms a hold after showing what follows, or discards it with a reason. */
export function HoldDecision({ hold, ask, close }: Props) {
  const params = useMemo(() => ({ path: { hold_id: hold.external_uuid } }), [hold.external_uuid]);
  const confirm = useChange(() => ok(api.POST('/api/holds/{hold_id}/confirm/', { params })), {
    success: t`Hold confirmed`,
    showFailure: false,
  });
  const { mutateAsync: discard } = useChange(
    (reason: string) => ok(api.POST('/api/holds/{hold_id}/discard/', { params, body: { reason } })),
    { success: t`Hold discarded`, showFailure: false },
  );
  const title = holdTitle(hold);
  const isApp = hold.kind === 'app';
  const question = useMemo<Commented | undefined>(
    () =>
      ask === 'discard'
        ? {
            title: t`Discard this hold?`,
            about: isApp
              ? t`The tasks that wait are canceled, and access does not change. The decision is recorded with your name.`
              : t`The tasks that wait are canceled, and policies do nothing because of this change. The people stay as they are: deactivated people are listed as leavers. The decision is recorded with your name.`,
            label: t`Reason`,
            required: true,
            action: t`Discard hold`,
            act: discard,
          }
        : undefined,
    [ask, isApp, discard],
  );
  return (
    <>
      <Confirm
        opened={ask === 'confirm'}
        close={close}
        title={t`Confirm this hold?`}
        action={t`Confirm hold`}
        type={grouped(hold.affected)}
        act={() => confirm.mutateAsync(undefined)}
      >
        <p>
          <strong>{title}</strong>
        </p>
        {ask === 'confirm' && <Consequences hold={hold} />}
      </Confirm>
      <CommentDialog ask={question} close={close} />
    </>
  );
}

function Consequences({ hold }: { hold: Hold }) {
  const { data, error, refetch } = usePreview(hold);
  if (error !== null && data === undefined) return <Failure error={error} again={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={48} />;
  return (
    <>
      <p>{previewWords(data)}</p>
      {hold.kind === 'app' && (
        <p>
          <Trans>Tasks that would give you access stay held.</Trans>
        </p>
      )}
      {hold.kind === 'people' && (
        <p>
          <Trans>
            Policies look at each person as they are now: nothing happens to those who are active again. This
            cannot be undone.
          </Trans>
        </p>
      )}
      {hold.kind === 'group' && (
        <p>
          <Trans>
            Policies look at each person as they are now: nothing happens to those who are in the group again.
            This cannot be undone.
          </Trans>
        </p>
      )}
    </>
  );
}

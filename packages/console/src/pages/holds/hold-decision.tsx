import { t } from '@lingui/core/macro';
import { api, ok } from '../../api/client.ts';
import { type Hold, holdTitle } from '../../holds/hold.ts';
import { type Action, ActionDialog } from '../../kit/action/action-dialog.tsx';
import { Unready } from '../../kit/controls/unready.tsx';
import { grouped } from '../../kit/text/words.ts';
import { previewWords, usePreview } from './hold-preview.tsx';

interface Props {
  hold: Hold;
  ask: 'confirm' | 'discard' | undefined;
  close: () => void;
}

/** Confirms a hold after showing what follows, or discards it with a reason. */
export function HoldDecision({ hold, ask, close }: Props) {
  const params = { path: { hold_id: hold.external_uuid } };
  const actions: Record<'confirm' | 'discard', Action> = {
    confirm: {
      title: t`Confirm this hold?`,
      sentence: (
        <>
          <p>
            <strong>{holdTitle(hold)}</strong>
          </p>
          <Consequences hold={hold} />
        </>
      ),
      button: t`Confirm hold`,
      type: grouped(hold.affected),
      request: () => ok(api.POST('/api/holds/{hold_id}/confirm/', { params })),
      message: t`Hold confirmed`,
    },
    discard: {
      title: t`Discard this hold?`,
      sentence:
        hold.kind === 'app'
          ? t`The tasks that wait are canceled, and access does not change. The decision is recorded with your name.`
          : t`The tasks that wait are canceled, and policies do nothing because of this change. The people stay as they are: deactivated people are listed as leavers. The decision is recorded with your name.`,
      comment: t`Reason`,
      required: true,
      button: t`Discard hold`,
      request: (reason) => ok(api.POST('/api/holds/{hold_id}/discard/', { params, body: { reason } })),
      message: t`Hold discarded`,
    },
  };
  return <ActionDialog of={ask && actions[ask]} close={close} />;
}

function Consequences({ hold }: { hold: Hold }) {
  const preview = usePreview(hold);
  const { data } = preview;
  if (data === undefined) return <Unready of={preview} height={48} />;
  return (
    <>
      <p>{previewWords(data)}</p>
      {hold.kind === 'app' && <p>{t`Tasks that would give you access stay held.`}</p>}
      {hold.kind === 'people' && (
        <p>
          {t`Policies look at each person as they are now: nothing happens to those who are active again. This cannot be undone.`}
        </p>
      )}
      {hold.kind === 'group' && (
        <p>
          {t`Policies look at each person as they are now: nothing happens to those who are in the group again. This cannot be undone.`}
        </p>
      )}
    </>
  );
}

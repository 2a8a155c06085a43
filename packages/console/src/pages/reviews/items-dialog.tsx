import type { Dispatch } from 'react';
import { useMe } from '../../api/me.ts';
import { ReassignDialog } from '../../people/reassign-dialog.tsx';
import { CommentDialog } from './comment-dialog.tsx';
import type { useDecide } from './decide.ts';
import { DecideMany } from './decide-many.tsx';
import type { Cycle } from './item.ts';
import type { Contexts } from './item-context.ts';
import { ItemDrawer } from './item-drawer.tsx';
import type { ItemsAction, ItemsDialog } from './items-state.ts';
import { giveReason } from './pace.ts';
import { PauseDialog } from './pause-dialog.tsx';
import { reassignJob, reassignSearch, reassignWords } from './reassign.ts';

interface Props {
  dialog: ItemsDialog;
  cycle: Cycle;
  contexts: Contexts;
  decide: ReturnType<typeof useDecide>['mutate'];
  dispatch: Dispatch<ItemsAction>;
}

/** The open dialog of the items. */
export function OpenDialog({ dialog, cycle, contexts, decide, dispatch }: Props) {
  const { me, manages } = useMe();
  const close = () => dispatch({ type: 'close' });
  switch (dialog.kind) {
    case 'details': {
      const { item } = dialog;
      return <ItemDrawer cycle={cycle} item={item} context={contexts.get(item.id)} close={close} />;
    }
    case 'comment':
      return <CommentDialog cycle={cycle} item={dialog.item} close={close} />;
    case 'pause': {
      const { item, decision } = dialog;
      const go = (reason: string) => {
        giveReason(reason);
        decide({ items: [item], decision, comment: reason });
      };
      return <PauseDialog close={close} go={go} />;
    }
    case 'decide': {
      const { many } = dialog;
      return (
        <DecideMany {...many} cycle={cycle} close={close} begin={(job) => dispatch({ type: 'begin', job })} />
      );
    }
    case 'reassign': {
      const { selection } = dialog;
      return (
        <ReassignDialog
          {...reassignWords(selection.count, manages)}
          search={reassignSearch(cycle)}
          close={close}
          act={async (to, reason) => {
            const job = reassignJob(cycle, selection, me?.external_uuid, { to, reason });
            dispatch({ type: 'begin', job });
          }}
        />
      );
    }
  }
}

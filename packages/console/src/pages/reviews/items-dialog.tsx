import type { Dispatch } from 'react';
import { useMe } from '../../api/me.ts';
import { ReassignDialog } from '../../people/reassign-dialog.tsx';
import { CommentDialog } from './comment-dialog.tsx';
import type { useDecide } from './decide.ts';
import { DecideMany } from './decide-many.tsx';
import type { Cycle, Decision, Item } from './item.ts';
import type { Contexts } from './item-context.ts';
import { ItemDrawer } from './item-drawer.tsx';
import type { ItemsAction, ItemsDialog } from './items-state.ts';
import { KeepTogether } from './keep-together.tsx';
import { giveReason } from './pace.ts';
import { PauseDialog } from './pause-dialog.tsx';
import { reassignJob, reassignSearch, reassignWords } from './reassign.ts';

interface Props {
  dialog: ItemsDialog;
  cycle: Cycle;
  contexts: Contexts;
  decide: ReturnType<typeof useDecide>['mutate'];
  dispatch: Dispatch<ItemsAction>;
  /** The items of the page, as they are now. */
  rows: readonly Item[];
  /** Decides an item, unless something is asked first. Undefined if this person's role cannot decide. */
  decideOne: ((item: Item, decision: Decision) => void) | undefined;
  /** Moves the focus to the next undecided item. */
  focusNext: () => void;
}

/** The open dialog of the items. */
export function OpenDialog(props: Props) {
  const { dialog, cycle, contexts, decide, dispatch, rows } = props;
  const { me, manages } = useMe();
  const close = () => dispatch({ type: 'close' });
  switch (dialog.kind) {
    case 'details': {
      const at = rows.findIndex(({ id }) => id === dialog.item.id);
      const go = (item: Item) => dispatch({ type: 'open', dialog: { kind: 'details', item } });
      return (
        <ItemDrawer
          cycle={cycle}
          item={rows[at] ?? dialog.item}
          before={rows[at - 1]}
          after={at === -1 ? undefined : rows[at + 1]}
          context={contexts.get(dialog.item.id)}
          go={go}
          decide={props.decideOne}
          close={close}
        />
      );
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
    case 'together':
      return <KeepTogether cycle={cycle} items={dialog.items} close={close} after={props.focusNext} />;
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

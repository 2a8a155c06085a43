import type { Bulk } from '../../kit/controls/bulk-job.tsx';
import type { Selection } from '../../kit/table/data-table.tsx';
import type { Many } from './decide-many.tsx';
import type { Decision, Item } from './item.ts';

/** A dialog above the items. Only one is open at a time. */
export type ItemsDialog =
  | { kind: 'details'; item: Item }
  | { kind: 'comment'; item: Item }
  /** The person decides faster than they can read. */
  | { kind: 'pause'; item: Item; decision: Decision }
  | { kind: 'decide'; many: Many }
  /** The items of the page without deviations. */
  | { kind: 'together'; items: Item[] }
  | { kind: 'reassign'; selection: Selection<Item> };

export interface ItemsState {
  dialog: ItemsDialog | undefined;
  /** The change of many items that runs or shows its result. */
  job: Bulk<Item> | undefined;
  /** The item that the person touched on a phone. */
  touched: Item | undefined;
}

export type ItemsAction =
  | { type: 'open'; dialog: ItemsDialog }
  | { type: 'close' }
  | { type: 'begin'; job: Bulk<Item> }
  | { type: 'end' }
  | { type: 'touch'; item: Item | undefined };

export const IDLE: ItemsState = { dialog: undefined, job: undefined, touched: undefined };

export function itemsReducer(state: ItemsState, action: ItemsAction): ItemsState {
  switch (action.type) {
    case 'open':
      return { ...state, dialog: action.dialog };
    case 'close':
      return { ...state, dialog: undefined };
    case 'begin':
      return { ...state, job: action.job };
    case 'end':
      return { ...state, job: undefined };
    case 'touch':
      return { ...state, touched: action.item };
  }
}

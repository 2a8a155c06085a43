import { choice, flag, search, text, whole } from '../../kit/browser/address.ts';

/** `all` shows the tasks of other people, too. */
export const myTasksSearch = search({ state: choice('ended'), all: flag, app: text, page: whole });

/** `ask`: the open dialog. */
export const myTaskSearch = search({ ask: choice('complete', 'refuse', 'reassign') });

export { countLeavers, countWithoutOwner, listLeavers } from './queries/leavers.ts';

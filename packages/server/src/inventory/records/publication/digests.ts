export { keepDigests, selectUnchanged, selectUnchangedStubs } from './queries/digests.ts';

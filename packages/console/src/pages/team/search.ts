import { search, text, whole } from '../../kit/browser/address.ts';

export const teamSearch = search({ q: text, page: whole });

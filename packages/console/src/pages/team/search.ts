import { search, text, whole } from '../../parts/address.ts';

export const teamSearch = search({ q: text, page: whole });

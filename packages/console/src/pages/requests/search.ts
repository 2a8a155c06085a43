import { search, text, whole } from '../../parts/address.ts';

export const requestsSearch = search({ q: text, page: whole });

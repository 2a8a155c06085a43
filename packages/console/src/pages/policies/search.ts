import { search, text, whole } from '../../parts/address.ts';

export const policiesSearch = search({ q: text, page: whole });

import { search, text, whole } from '../../parts/address.ts';

export const peopleSearch = search({ q: text, page: whole });

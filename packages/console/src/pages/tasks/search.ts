import { search, text, whole } from '../../parts/address.ts';

export const tasksSearch = search({ q: text, page: whole });

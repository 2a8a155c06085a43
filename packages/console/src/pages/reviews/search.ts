import { search, text, whole } from '../../parts/address.ts';

export const reviewsSearch = search({ q: text, page: whole });

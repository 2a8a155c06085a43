import { flag, search, whole } from '../../parts/address.ts';

export const apiKeysSearch = search({ page: whole, new: flag });

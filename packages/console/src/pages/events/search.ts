import { search, text } from '../../parts/address.ts';

export const eventsSearch = search({ cursor: text });

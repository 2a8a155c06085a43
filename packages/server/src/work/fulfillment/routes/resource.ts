import { resource } from '#kit/http.ts';
import { fulfillmentDetails, visibleAssignment } from '../tasks.ts';
import { DetailsItem, detailsItem, personal, reading, tag } from './schemas.ts';

/** Tasks that people carry out. */
export const tasks = resource({
  path: '/api/fulfillment/tasks/',
  tag,
  reading,
  managing: personal,
  id: 'task_id',
  find: visibleAssignment,
  load: (call, { task_id }) => fulfillmentDetails(call, task_id),
  schema: DetailsItem,
  view: detailsItem,
});

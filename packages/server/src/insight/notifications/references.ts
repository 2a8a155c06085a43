import { account, app, id, type References, subject } from '#kit/database/references.ts';

export const notificationReferences: References = {
  notification_preference: {
    why: 'The person who remains has their own choices.',
    columns: { user_id: id(subject('stays', 'goes')) },
  },
  notification_channel: { why: 'Nothing happens in an archived app.', columns: { app_id: id(app('stays')) } },
  notification: {
    why: 'Messages were sent to the person as they were. Readers see only what they may still see.',
    columns: {
      user_id: id(subject('stays', 'goes')),
      about_id: id(subject('stays', 'stays'), account('stays'), app('stays')),
    },
  },
  notification_delivery: {
    why: 'Messages were sent to the person as they were.',
    columns: { user_id: id(subject('stays', 'goes')) },
  },
  notification_message: {
    why: 'Messages were sent to the person as they were.',
    columns: { user_id: id(subject('stays', 'goes')) },
  },
};

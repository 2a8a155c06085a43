import { Notifications } from '@mantine/notifications';

/** The messages at the corner of the window. */
export const Notices = () => <Notifications position="bottom-right" limit={4} />;

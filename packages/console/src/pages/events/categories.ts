import { t } from '@lingui/core/macro';
import type { Event } from './follow.ts';

export const CATEGORY_WORDS = {
  authentication: t`Authentication`,
  authorization: t`Authorization`,
  application: t`Application`,
  task: t`Task`,
  user_lifecycle: t`Lifecycle of people`,
  configuration: t`Configuration`,
} satisfies Record<Event['category'], string>;

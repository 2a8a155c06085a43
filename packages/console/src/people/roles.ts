import { t } from '@lingui/core/macro';

const ROLES: Record<string, string> = {
  owner: t`owner`,
  admin: t`admin`,
  auditor: t`auditor`,
  member: t`member`,
};

/** The word for a role, within a sentence. */
export const roleWord = (role: string) => ROLES[role] ?? role;

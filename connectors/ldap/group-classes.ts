/** The attributes that hold members: two with DNs, and one with user names. New members go to the first that a group may have. */
export const memberAttributes = ['member', 'uniqueMember', 'memberUid'] as const;
export type MemberAttribute = (typeof memberAttributes)[number];

/** The attribute of each class of groups whose members are known. */
export const attributeOfClass: Record<string, MemberAttribute> = {
  groupOfNames: 'member',
  groupOfMembers: 'member',
  groupOfEntries: 'member',
  groupOfUniqueNames: 'uniqueMember',
  posixGroup: 'memberUid',
  group: 'member',
};
export const groupClasses = Object.keys(attributeOfClass);

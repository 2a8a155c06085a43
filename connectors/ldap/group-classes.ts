/** The attributes that hold members: two with DNs, and one with user names. New members go to the first that a group may have. */
export const memberAttributes = ['member', 'uniqueMember', 'memberUid'] as const;
export type MemberAttribute = (typeof memberAttributes)[number];

/** The attribute of each class of groups whose members are known. */
export const attributeOfClass: Record<string, MemberAttribute> = {
  groupOfNames: 'member',
  groupOfMembers: 'member',
  groupOfEntries: 'member',
  groupOfURLs: 'member',
  groupOfUniqueNames: 'uniqueMember',
  posixGroup: 'memberUid',
  group: 'member',
};
export const groupClasses = Object.keys(attributeOfClass);

/** The class of groups whose members the server, or an application, computes from LDAP URLs. Nobody can be added. */
export const computedClass = 'groupOfURLs';
/** The attributes with LDAP URLs that select members. Groups of other classes may have them, too. */
export const urlAttributes = ['memberURL', 'labeledURI'] as const;

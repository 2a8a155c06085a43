import { refusals } from '#kit/errors.ts';
import { sentences } from '#kit/sentences.ts';

/** Problems of a person. */
export const personSentences = sentences({
  end_before_start: 'end_date is before start_date.',
  leave_without_start: 'leave_until needs leave_from, the first day of the leave.',
  leave_end_before_start: 'leave_until is before leave_from.',
  day_too_early: '{field}: {day} is before 1950. Correct the day, or leave it empty.',
  too_many_attributes: 'attributes has {count} entries, and at most {most} are allowed. Remove some.',
  attribute_name_too_long: 'The attribute name {start}... has more than {most} characters. Shorten it.',
  attribute_too_long:
    'attributes.{name} has {length} characters, and at most {most} are allowed. Shorten it.',
});

/** Problems of a row of an imported file. */
export const rowSentences = sentences({
  row_problems: '{problems}',
  row_field: '{field}: {problem}',
  row_field_issue: '{field}: {problem}.',
  row_issue: '{problem}.',
  row_both: '{one} and {other}',
  row_cells: 'The row has {count, plural, one {# cell} other {# cells}}, and the first line {columns}.',
  row_cells_of_header: 'The row has {count, plural, one {# cell} other {# cells}}, and the header {width}.',
  row_nul: 'The row contains a NUL character.',
  row_repeats: 'Line {line} has the same {name}.',
  row_names_nobody: '{name}: The row has none, so it names nobody.',
  row_names_somebody_else:
    '{name}: {email} has {value}, so this is somebody else. Find people by {name} (match={name}), or correct the {name} of this person first.',
  row_value_of_another:
    '{name}: {email} has {value}. Find people by {name} (match={name}) if this person has another email now.',
  row_value_of_several: '{name}: {emails} have {value}. Correct one of them first.',
  row_without_email: 'email: Nobody has the {name} {value}, and the row has no email for a new person.',
  row_email_of_another: '{email} belongs to another person. Change the email of that person first.',
  row_unknown_manager: 'No person has the email {email}.',
  row_not_a_day: 'This is not a day. Write it as YYYY-MM-DD, such as 2026-03-31.',
  row_day_too_early: '{day} is before 1950. Correct the day, or leave the cell empty.',
});

export const personRefusals = refusals({
  forbidden: {
    absence_of_another: 'Only the person or an administrator can change an absence.',
    owner_decides_duplicate_owner: 'Only an owner can decide whether an owner is a duplicate.',
    merge_of_own_record: 'You cannot merge your own record into another. Ask another administrator.',
    owner_merges_owner: 'Only an owner can merge an owner.',
    owner_deletes_owner: 'Only an owner can delete an owner.',
    owner_makes_owner: 'Only an owner can make a person an owner or change an owner.',
    owner_changes_former_email:
      'This person was an owner, administrator or auditor, so only an owner can change their email. Change it in the console.',
    keys_give_no_privilege:
      'API keys cannot give the role owner, admin or auditor, or change the email of a person who has one or reactivate them. Sign in to the console instead.',
    email_of_former_owner:
      '{email} belongs to somebody who was an owner. Let an owner change the email there first, or do it as an owner.',
    email_of_former_admin:
      '{email} belongs to somebody who was an administrator. Let an owner change the email there first, or do it as an owner.',
    email_of_former_auditor:
      '{email} belongs to somebody who was an auditor. Let an owner change the email there first, or do it as an owner.',
    owner_changes_privileged:
      'Only an owner can change the email or the role of an administrator or auditor, or reactivate them.',
  },
  conflict: {
    absence_ended: 'This absence has ended and can no longer be changed.',
    absence_overlaps: 'This overlaps the absence from {starts_at} to {ends_at}. Change that one instead.',
    absence_overlaps_leave: 'This overlaps the leave that begins at {starts_at}. Change that one instead.',
    deputy_is_self: 'The deputy must be another person.',
    deputy_deactivated: '{email} is deactivated. Choose another deputy.',
    deputy_is_auditor: '{email} is an auditor, and auditors do not decide. Choose another deputy.',
    person_merged_name_other: '{email} was merged into another person. Name that person instead.',
    email_lookalike: "The email {email} looks like {other}, another person's email. Check its letters.",
    merge_of_managed_person:
      'An identity provider manages {email}. Merge {into} into that person instead, or ask an owner to release the person.',
    merge_of_merged_person: '{email} was already merged into another person. Use that person instead.',
    merge_into_deactivated: '{email} is deactivated. Merge that person into {other} instead.',
    person_has_merged_record: 'Another person was merged into this person. Deactivate them instead.',
    person_is_named:
      'API keys, requests, tasks, reviews or policies name this person. Deactivate them instead.',
    person_not_managed: 'No identity provider manages this person.',
    person_merged_change_other: '{email} was merged into another person. Change that person instead.',
    email_belongs_to_another:
      'The email {email} belongs to another person now. Give this person another email first.',
    person_fields_managed:
      'An identity provider manages {fields} of this person. Change it there, or ask an owner to release the person.',
    role_given_by_groups:
      'Groups give this person the role {role}. Change the groups or the roles that they give.',
    last_owner: 'This is the last active owner. Make another person an owner first.',
  },
  invalid: {
    absence_without_end: 'Field required (ends_at): only a leave can have no end.',
    absence_order: 'ends_at must be after starts_at.',
    absence_end_past: 'ends_at must be in the future.',
    absence_too_long: 'An absence can last {most} days at most. Choose an earlier ends_at.',
    deputy_missing: 'Field required (deputy): name the deputy by id, or by email in deputy_email.',
    people_file_not_utf8: 'The file is not UTF-8. Save it as UTF-8 and try again.',
    people_file_too_many_rows: 'The file has more than {most} rows. Split it and import the parts.',
    people_file_empty: 'The file is empty. Its first line must name the columns.',
    people_file_row_too_long: 'The row at line {line} has more than {most} characters. Shorten it.',
    people_file_not_csv: 'The file is not valid CSV at line {line}: {reason}. Check the quotes there.',
    people_file_too_many_columns: 'The first line names {count} columns, and at most {most} are allowed.',
    people_file_column_twice: 'The first line names the column "{duplicate}" twice.',
    people_file_column_unnamed: 'The first line has a column without a name.',
    people_must_differ: 'users: Name two different people.',
    person_group_name_too_long: 'displayName has more than {most} characters. Shorten it.',
    as_of_future: 'as_of is in the future. Use a time that has passed.',
    people_match_attribute:
      'match: people can be found by email or by an attribute that says who somebody is, and {by} does not.',
    people_match_column_missing: 'match: The first line has no column {by}. It names {columns}.',
    people_file_without_email: 'The first line must name the columns, including email. It names {columns}.',
    people_file_column_not_imported:
      'The column {name} cannot be imported. Remove it: people are found by {match}.',
    merge_into_self: 'from: A person cannot be merged into themselves. Name another person.',
    email_with_invisible_character: 'The email {email} contains an invisible character. Type it again.',
    email_with_odd_separator:
      'The domain of the email {email} has a character in place of a dot or an at sign. Correct it.',
    rows_invalid:
      '{bad} of {count, plural, one {# row} other {# rows}} {bad, plural, one {is} other {are}} invalid, so nothing was imported. line {line}: {problems}',
    member_not_a_person: 'The member {id} is not a person. Create the person first.',
    member_is_a_group: 'The member {id} is a group. Groups cannot contain groups: add its members instead.',
    manager_loop: 'A person cannot be their own manager, directly or through others.',
    person_field_nul: '{field} contains a NUL character. Remove it.',
  },
  not_found: {
    person_state_too_early: 'The first recorded state of this person began at {since}. Choose a later time.',
    person_deleted_by_then: 'This person had been deleted by then. Choose an earlier time.',
  },
  taken: {
    person_email_taken: 'A person with the email {email} already exists.',
    person_group_external_id_taken: 'A group with this externalId already exists.',
    person_username_taken:
      'The username {username} belongs to another person ({holder}). Choose another one, or change that of the other person first.',
  },
  unsupported_media_type: {
    people_file_not_text_csv: 'Send the file as text/csv.',
  },
});

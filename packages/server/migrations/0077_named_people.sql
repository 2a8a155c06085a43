-- runs-with: 0060
-- To find out whether a person who is being deleted is named.
create index ticket_comment_author on ticket_comment (org_id, author_id);
create index ticket_approval_on_behalf_of on ticket_approval using gin (on_behalf_of) where on_behalf_of is not null;
create index review_item_on_behalf_of on review_item using gin (on_behalf_of) where on_behalf_of is not null;

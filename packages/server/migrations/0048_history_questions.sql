-- The history of access names the review items that caused changes.
create index review_item_id on review_item (org_id, id);

-- What goes with a message or a post besides its text: a list of {kind, …}; null where there is nothing.
alter table social_messages add column attachments jsonb;
alter table social_posts add column attachments jsonb;

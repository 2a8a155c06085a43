/** WordPress's tables of users, with 250 subscribers and two others. WordPress is not needed: definitions read these tables only. */
export const wordpress = `
  drop database if exists wordpress;
  create database wordpress;
  use wordpress;
  create table wp_users (ID bigint unsigned auto_increment primary key, user_login varchar(60) not null default '',
    user_pass varchar(255) not null default '', user_nicename varchar(50) not null default '',
    user_email varchar(100) not null default '', user_url varchar(100) not null default '',
    user_registered datetime not null default '0000-00-00 00:00:00',
    user_activation_key varchar(255) not null default '', user_status int not null default 0,
    display_name varchar(250) not null default '', key user_login_key (user_login), key user_nicename (user_nicename),
    key user_email (user_email));
  create table wp_usermeta (umeta_id bigint unsigned auto_increment primary key, user_id bigint unsigned not null default 0,
    meta_key varchar(255), meta_value longtext, key user_id (user_id), key meta_key (meta_key(191)));
  insert into wp_users (user_login, user_nicename, user_email, user_registered, display_name)
    select concat('person', seq), concat('person', seq), concat('person', seq, '@acme.example'), now(), concat('Person ', seq)
    from seq_1_to_252;
  insert into wp_usermeta (user_id, meta_key, meta_value)
    select ID, 'wp_capabilities', case ID when 1 then 'a:1:{s:13:"administrator";b:1;}' when 2 then 'a:1:{s:6:"editor";b:1;}'
      else 'a:1:{s:10:"subscriber";b:1;}' end from wp_users;
  insert into wp_usermeta (user_id, meta_key, meta_value) values (1, 'nickname', 'person1');
`;

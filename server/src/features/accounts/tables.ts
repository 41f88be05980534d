import { codePurposes } from '@neuroloom/contract/accounts/sign-up'
import type { Language } from '@neuroloom/contract/language'
import {
  bigint,
  bigserial,
  boolean,
  customType,
  index,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
const time = (name: string) => timestamp(name, { withTimezone: true })
const line = (name: string) => text(name).notNull().default('')

/** Other systems that may sign their members in by links. */
export const partners = pgTable('partners', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  /** SHA-256 of a secret that is drawn: long enough that nothing slower is needed. */
  secretHash: bytea('secret_hash').notNull().unique(),
  /** Compared with nothing, so no foreign key. */
  madeBy: text('made_by'),
  madeAt: time('made_at').notNull(),
  usedAt: time('used_at'),
})
export type PartnerRow = typeof partners.$inferSelect

export const users = pgTable('users', {
  id: text('id').primaryKey(),
  /** What people type to sign in, in canonical form. */
  emailKey: text('email_key').unique(),
  phoneKey: text('phone_key').unique(),
  passwordHash: text('password_hash').notNull(),
  /** The password was printed at the first start; nothing else can be done before it is changed. */
  mustChangePassword: boolean('must_change_password').notNull().default(false),
  role: smallint('role').notNull().default(0),
  /** The one partner that may sign the member in by links. */
  partnerId: text('partner_id').references(() => partners.id, { onDelete: 'set null' }),
  vipLevel: smallint('vip_level').notNull().default(0),
  vipSuper: smallint('vip_super').notNull().default(0),
  vipValid: time('vip_valid'),
  /** How many days before its end the last message of it was. */
  levelTold: smallint('level_told'),
  type: smallint('type').notNull().default(0),
  nickName: text('nick_name').notNull(),
  name: line('name'),
  surname: line('surname'),
  phone: line('phone'),
  email: line('email'),
  job: line('job'),
  appellation: line('appellation'),
  sex: line('sex'),
  age: smallint('age'),
  edu: line('edu'),
  country: line('country'),
  currCountry: line('curr_country'),
  area: line('area'),
  address: line('address'),
  postcode: line('postcode'),
  cardType: line('card_type'),
  /** Encrypted, see infra/seals; null where none was given. */
  cardSeal: bytea('card_seal'),
  bakPhone: line('bak_phone'),
  bakPhoneUsage: line('bak_phone_usage'),
  fax: line('fax'),
  email1: line('email1'),
  email2: line('email2'),
  email3: line('email3'),
  firstContact: line('first_contact'),
  organ: line('organ'),
  position: line('position'),
  dept: line('dept'),
  title: line('title'),
  keyword: line('keyword'),
  photo: line('photo'),
  showIntroduce: text('show_introduce').notNull().default('12345'),
  /** Chosen while signed in: of the pages at a sign-in elsewhere, and of letters. Null: none was chosen. */
  language: text('language').$type<Language>(),
  /** Wishes an e-mail when a long run has ended. */
  runMail: boolean('run_mail').notNull().default(false),
  createdAt: time('created_at').notNull().defaultNow(),
  /** When the agreement was accepted; null for accounts that an administrator made. */
  agreedAt: time('agreed_at'),
  /** Since then nobody signs in to it, until an administrator allows it again. */
  blockedAt: time('blocked_at'),
  /** Closed for good: nobody signs in any more, and a job deletes all that is left. */
  cancelledAt: time('cancelled_at'),
})
export type UserRow = typeof users.$inferSelect

/** Active while `endedAt` is null; a replaced one stays a day so that its token can answer 10500. */
export const sessions = pgTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    tokenHash: bytea('token_hash').notNull().unique(),
    /** Set for sessions of browsers: the cookie that must come along with the token. */
    cookieHash: bytea('cookie_hash'),
    address: text('address').notNull(),
    /** Browser and system, as the browser says. */
    agent: line('agent'),
    startedAt: time('started_at').notNull(),
    usedAt: time('used_at').notNull(),
    /** When its window was closed; any call takes it back. */
    closingAt: time('closing_at'),
    /** When the second factor was last given in it; null for an account without one. */
    secondFactorAt: time('second_factor_at'),
    endedAt: time('ended_at'),
    endReason: text('end_reason', { enum: ['replaced', 'signed_out', 'expired'] }),
  },
  (table) => [
    uniqueIndex('sessions_one_active').on(table.userId),
    index('sessions_user').on(table.userId, table.address),
    index('sessions_ended_at').on(table.endedAt),
  ],
)
export type SessionRow = typeof sessions.$inferSelect

/** Keys of links that sign in, each one once. */
export const loginKeys = pgTable('login_keys', {
  hash: bytea('hash').primaryKey(),
  userId: text('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Null where it was made at the server's own console, or a partner asked for it. */
  madeBy: text('made_by').references(() => users.id, { onDelete: 'cascade' }),
  partnerId: text('partner_id').references(() => partners.id, { onDelete: 'cascade' }),
  expiresAt: time('expires_at').notNull(),
  usedAt: time('used_at'),
})

export const liveTickets = pgTable('live_tickets', {
  hash: bytea('hash').primaryKey(),
  sessionId: text('session_id')
    .notNull()
    .references(() => sessions.id, { onDelete: 'cascade' }),
  expiresAt: time('expires_at').notNull(),
})

export const signInTries = pgTable('sign_in_tries', {
  id: bigserial('id', { mode: 'number' }).primaryKey(),
  /** A keyed digest: what people type here by mistake may be a password. */
  accountMac: text('account_mac').notNull(),
  /** The network, or the device where it is known. */
  place: text('place').notNull(),
  kind: text('kind', { enum: ['password', 'device', 'unproven', 'again', 'code', 'device_code'] }).notNull(),
  at: time('at').notNull(),
})

/** Browsers from which an account was signed in to. */
export const knownDevices = pgTable(
  'known_devices',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    hash: bytea('hash').notNull(),
    usedAt: time('used_at').notNull(),
    /** When the second factor was last given in this browser. */
    secondFactorAt: time('second_factor_at'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.hash] }),
    index('known_devices_used_at').on(table.usedAt),
  ],
)

export const secondFactors = pgTable('second_factors', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Encrypted, see infra/seals. */
  secretSeal: bytea('secret_seal').notNull(),
  madeAt: time('made_at').notNull(),
  /** Null while it is set up: until then nothing asks for it. */
  confirmedAt: time('confirmed_at'),
  /** The last step of 30 seconds whose code was taken. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
})

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: text('user_id')
      .notNull()
      .references(() => secondFactors.userId, { onDelete: 'cascade' }),
    codeMac: text('code_mac').notNull(),
    usedAt: time('used_at'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeMac] })],
)

/** Sign-ins that wait for the second factor. */
export const secondFactorTickets = pgTable('second_factor_tickets', {
  hash: bytea('hash').primaryKey(),
  userId: text('user_id')
    .notNull()
    .references(() => secondFactors.userId, { onDelete: 'cascade' }),
  /** Of the stored password that fitted; null where a link's key was given. */
  passwordDigest: bytea('password_digest'),
  /** Who made that key. */
  madeBy: text('made_by').references(() => users.id, { onDelete: 'cascade' }),
  expiresAt: time('expires_at').notNull(),
  tries: smallint('tries').notNull().default(0),
})

export const usedChallenges = pgTable('used_challenges', {
  salt: text('salt').primaryKey(),
  expiresAt: time('expires_at').notNull(),
})

/** Codes sent by text message and by e-mail, and the record that limits are counted by. */
export const codes = pgTable(
  'codes',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    /** Whom the code is for, as `accountKey` writes it. */
    accountKey: text('account_key').notNull(),
    purpose: text('purpose', { enum: codePurposes }).notNull(),
    /** A keyed digest; null where nothing was sent, because there is no such account. */
    codeMac: text('code_mac'),
    address: text('address').notNull(),
    isProven: boolean('is_proven').notNull(),
    tries: smallint('tries').notNull().default(0),
    sentAt: time('sent_at').notNull(),
    usedAt: time('used_at'),
  },
  (table) => [
    index('codes_account').on(table.accountKey, table.sentAt),
    index('codes_address').on(table.address, table.sentAt),
    index('codes_sent_at').on(table.sentAt),
  ],
)

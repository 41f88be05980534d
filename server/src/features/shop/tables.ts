import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import type { Recipe } from '@neuroloom/contract/recipes/recipe'
import type { Run } from '@neuroloom/contract/runs'
import type { About, Listing } from '@neuroloom/contract/shop/listing'
import type {
  CheckRefusal,
  ClaimGround,
  claimStates,
  HoldWay,
  ListingState,
  SaleState,
} from '@neuroloom/contract/shop/words'
import type { Hyper, Validation } from '@neuroloom/contract/suggest/hyper'
import type { Task } from '@neuroloom/contract/task'
import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
} from 'drizzle-orm/pg-core'
import { blobs } from '../../infra/storage/blobs.ts'
import { users } from '../accounts/tables.ts'
import type { Unit } from '../ledger/tables.ts'
import { allRuns, type StartFrom } from '../runs/tables.ts'

const time = (name: string) => timestamp(name, { withTimezone: true })
const listing = () =>
  text('listing_id')
    .notNull()
    .references(() => listings.id)
const member = () =>
  text('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })
const run = (name: string) => text(name).references(() => allRuns.id, { onDelete: 'set null' })

export const listings = pgTable(
  'listings',
  {
    id: text('id').primaryKey(),
    /** Not a reference: what was sold outlives its seller's account. */
    sellerId: text('seller_id').notNull(),
    state: text('state').$type<ListingState>().notNull(),
    task: text('task').$type<Task>().notNull(),
    about: jsonb('about').$type<About>().notNull(),
    name: text('name').notNull(),
    priceYuan: bigint('price_yuan', { mode: 'number' }).notNull(),
    /** The version that buyers get; 0 before the first check. */
    version: integer('version').notNull().default(0),
    rules: integer('rules').notNull(),
    refusal: text('refusal').$type<CheckRefusal>(),
    banReason: text('ban_reason').notNull().default(''),
    createdAt: time('created_at').notNull(),
    listedAt: time('listed_at'),
  },
  (table) => [
    index('listings_seller').on(table.sellerId, table.createdAt),
    index('listings_listed').on(table.listedAt),
  ],
)
export type ListingRow = typeof listings.$inferSelect

/** What a test said, all of which its repetition must say again. */
export type Tested = Pick<Run, 'metrics' | 'perClass' | 'confusion'> & {
  score: number
  items: number
  /** SHA-256 over every single result. */
  results: string
  interval: { low: number; high: number } | null
  part: 'held_out' | 'all'
}

export const listingVersions = pgTable(
  'listing_versions',
  {
    listingId: listing(),
    number: integer('number').notNull(),
    state: text('state').$type<'checking' | 'verified' | 'refused'>().notNull(),
    note: text('note').notNull(),
    runId: run('run_id'),
    testId: run('test_id'),
    checkId: run('check_id'),
    network: text('network').notNull(),
    networkName: text('network_name'),
    graph: text('graph').notNull(),
    plan: jsonb('plan').$type<Plan>().notNull(),
    planHash: text('plan_hash').notNull(),
    classes: jsonb('classes').$type<string[]>().notNull(),
    hyper: jsonb('hyper').$type<Hyper>().notNull(),
    validation: jsonb('validation').$type<Validation>().notNull(),
    parameters: bigint('parameters', { mode: 'number' }).notNull(),
    recipe: jsonb('recipe').$type<Recipe>(),
    manifestSha256: text('manifest_sha256')
      .notNull()
      .references(() => blobs.sha256),
    weightsSha256: text('weights_sha256')
      .notNull()
      .references(() => blobs.sha256),
    weightsBytes: bigint('weights_bytes', { mode: 'number' }).notNull(),
    startFrom: jsonb('start_from').$type<StartFrom>(),
    learned: jsonb('learned').$type<Omit<Listing['learned'], 'startFrom'>>().notNull(),
    tested: jsonb('tested').$type<Tested>().notNull(),
    statement: text('statement'),
    signature: text('signature'),
    createdAt: time('created_at').notNull(),
    verifiedAt: time('verified_at'),
  },
  (table) => [
    primaryKey({ columns: [table.listingId, table.number] }),
    index('listing_versions_run').on(table.runId),
    index('listing_versions_test').on(table.testId),
    index('listing_versions_check').on(table.checkId),
    index('listing_versions_manifest').on(table.manifestSha256),
    index('listing_versions_weights').on(table.weightsSha256),
  ],
)
export type VersionRow = typeof listingVersions.$inferSelect

export const holdings = pgTable(
  'holdings',
  {
    listingId: listing(),
    userId: member(),
    way: text('way').$type<Exclude<HoldWay, 'own'>>().notNull(),
    orderNo: text('order_no'),
    since: time('since').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.listingId, table.userId] }),
    index('holdings_user').on(table.userId),
  ],
)

export const sales = pgTable(
  'sales',
  {
    orderNo: text('order_no').primaryKey(),
    listingId: listing(),
    version: integer('version').notNull(),
    buyerId: text('buyer_id').notNull(),
    sellerId: text('seller_id').notNull(),
    unit: text('unit').$type<Unit>().notNull(),
    amount: bigint('amount', { mode: 'number' }).notNull(),
    state: text('state').$type<Exclude<SaleState, 'returning'>>().notNull(),
    rules: integer('rules').notNull(),
    at: time('at').notNull(),
    recordAt: time('record_at').notNull(),
  },
  (table) => [
    index('sales_seller').on(table.sellerId, table.at),
    index('sales_buyer').on(table.buyerId, table.listingId),
    index('sales_listing').on(table.listingId),
    index('sales_due').on(table.recordAt),
  ],
)
export type SaleRow = typeof sales.$inferSelect

export const shopReviews = pgTable(
  'shop_reviews',
  {
    id: text('id').primaryKey(),
    listingId: listing(),
    userId: member(),
    version: integer('version').notNull(),
    stars: smallint('stars').notNull(),
    text: text('text').notNull(),
    at: time('at').notNull(),
  },
  (table) => [
    unique('shop_reviews_listing_id_user_id_key').on(table.listingId, table.userId),
    index('shop_reviews_user').on(table.userId),
  ],
)

export const shopClaims = pgTable(
  'shop_claims',
  {
    id: text('id').primaryKey(),
    orderNo: text('order_no')
      .notNull()
      .unique()
      .references(() => sales.orderNo),
    ground: text('ground').$type<ClaimGround>().notNull(),
    text: text('text').notNull(),
    state: text('state').$type<(typeof claimStates)[number]>().notNull(),
    checkId: run('check_id'),
    /** Of the seller's test, run again. */
    outcome: text('outcome').$type<'same' | 'differs' | 'failed'>(),
    reason: text('reason').notNull().default(''),
    at: time('at').notNull(),
    decidedAt: time('decided_at'),
  },
  (table) => [index('shop_claims_check').on(table.checkId), index('shop_claims_open').on(table.at)],
)
export type ClaimRow = typeof shopClaims.$inferSelect

export const shopUses = pgTable(
  'shop_uses',
  {
    id: text('id').primaryKey(),
    runId: run('run_id'),
    listingId: listing(),
    version: integer('version').notNull(),
    userId: member(),
    /** Null of what was taken away: weights, or a copy of the network. */
    projectId: text('project_id'),
    kind: text('kind').$type<'train' | 'predict' | 'drive' | 'taken'>().notNull(),
    /** Of a drive: SHA-256 over its images, so that looks at the same ones are counted. */
    images: text('images'),
    looks: integer('looks').notNull().default(0),
    at: time('at').notNull(),
  },
  (table) => [
    index('shop_uses_run').on(table.runId),
    index('shop_uses_listing').on(table.listingId, table.userId),
    index('shop_uses_user').on(table.userId, table.at),
  ],
)

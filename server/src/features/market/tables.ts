import type { WorkTask } from '@neuroloom/contract/market/demand'
import type { Milestone } from '@neuroloom/contract/market/parts'
import type { DeliveryState, DemandEnd, DemandState } from '@neuroloom/contract/market/states'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { blobs } from '../../infra/storage/blobs.ts'
import { users } from '../accounts/tables.ts'
import { files } from '../files/tables.ts'
import { orders } from '../payments/tables.ts'

const time = (name: string) => timestamp(name, { withTimezone: true })
const fen = (name: string) => bigint(name, { mode: 'number' })
const demand = () =>
  text('demand_id')
    .notNull()
    .references(() => demands.id, { onDelete: 'cascade' })

export const demands = pgTable(
  'demands',
  {
    id: text('id').primaryKey(),
    /** Not references: what was paid for outlives the accounts. */
    ownerId: text('owner_id').notNull(),
    state: text('state').$type<DemandState>().notNull(),
    title: text('title').notNull(),
    task: text('task').$type<WorkTask>().notNull(),
    description: text('description').notNull(),
    budgetFen: fen('budget_fen').notNull(),
    deadline: date('deadline').notNull(),
    createdAt: time('created_at').notNull(),
    offerId: text('offer_id'),
    providerId: text('provider_id'),
    orderNo: text('order_no').references(() => orders.orderNo),
    acceptedParts: integer('accepted_parts').notNull().default(0),
    assignedAt: time('assigned_at'),
    acceptedAt: time('accepted_at'),
    remindedAt: time('reminded_at'),
    ended: text('ended').$type<DemandEnd>(),
  },
  (table) => [
    index('demands_owner').on(table.ownerId, table.createdAt),
    index('demands_provider').on(table.providerId, table.assignedAt).where(sql`provider_id is not null`),
    index('demands_order').on(table.orderNo).where(sql`order_no is not null`),
    index('demands_state').on(table.state, table.createdAt),
  ],
)
export type DemandRow = typeof demands.$inferSelect

export const demandOffers = pgTable(
  'demand_offers',
  {
    id: text('id').primaryKey(),
    demandId: demand(),
    providerId: text('provider_id').notNull(),
    priceFen: fen('price_fen').notNull(),
    days: integer('days').notNull(),
    text: text('text').notNull(),
    milestones: jsonb('milestones').$type<Milestone[]>().notNull(),
    revision: integer('revision').notNull(),
    at: time('at').notNull(),
  },
  (table) => [
    unique().on(table.demandId, table.providerId),
    index('demand_offers_provider').on(table.providerId, table.at),
  ],
)
export type OfferRow = typeof demandOffers.$inferSelect

export const demandDeliveries = pgTable(
  'demand_deliveries',
  {
    id: text('id').primaryKey(),
    demandId: demand(),
    part: integer('part').notNull(),
    text: text('text').notNull(),
    state: text('state').$type<DeliveryState>().notNull(),
    answer: text('answer').notNull().default(''),
    at: time('at').notNull(),
    answeredAt: time('answered_at'),
  },
  (table) => [
    index('demand_deliveries_demand').on(table.demandId, table.at),
    uniqueIndex('demand_deliveries_waiting').on(table.demandId).where(sql`state = 'waiting'`),
  ],
)
export type DeliveryRow = typeof demandDeliveries.$inferSelect

export const demandDisputes = pgTable('demand_disputes', {
  demandId: text('demand_id')
    .primaryKey()
    .references(() => demands.id, { onDelete: 'cascade' }),
  byOwner: boolean('by_owner').notNull(),
  reason: text('reason').notNull(),
  at: time('at').notNull(),
  providerFen: fen('provider_fen'),
  ownerFen: fen('owner_fen'),
  decision: text('decision').notNull().default(''),
  decidedBy: text('decided_by'),
  decidedAt: time('decided_at'),
})
export type DisputeRow = typeof demandDisputes.$inferSelect

export const demandRatings = pgTable(
  'demand_ratings',
  {
    demandId: text('demand_id')
      .primaryKey()
      .references(() => demands.id, { onDelete: 'cascade' }),
    providerId: text('provider_id').notNull(),
    userId: text('user_id').notNull(),
    stars: smallint('stars').notNull(),
    text: text('text').notNull(),
    at: time('at').notNull(),
  },
  (table) => [
    index('demand_ratings_provider').on(table.providerId, table.at),
    index('demand_ratings_user').on(table.userId),
  ],
)

export const marketFiles = pgTable(
  'market_files',
  {
    id: text('id').primaryKey(),
    demandId: text('demand_id').references(() => demands.id, { onDelete: 'cascade' }),
    deliveryId: text('delivery_id').references(() => demandDeliveries.id, { onDelete: 'cascade' }),
    caseId: text('case_id').references((): AnyPgColumn => marketCases.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    sha256: text('sha256')
      .notNull()
      .references(() => blobs.sha256),
    sizeBytes: fen('size_bytes').notNull(),
    position: integer('position').notNull(),
  },
  (table) => [
    index('market_files_demand').on(table.demandId),
    index('market_files_delivery').on(table.deliveryId).where(sql`delivery_id is not null`),
    index('market_files_case').on(table.caseId).where(sql`case_id is not null`),
    index('market_files_sha256').on(table.sha256),
  ],
)
export type MarketFileRow = typeof marketFiles.$inferSelect

/** Folders that the work is about. */
export const demandData = pgTable(
  'demand_data',
  {
    demandId: demand(),
    entryId: text('entry_id')
      .notNull()
      .references(() => files.id, { onDelete: 'cascade' }),
    /** The owner's word: with files that name their patient. */
    withPatients: boolean('with_patients').notNull(),
    position: integer('position').notNull(),
    /** While the work is under way; null where the provider had it by another share already. */
    shareId: text('share_id'),
  },
  (table) => [
    primaryKey({ columns: [table.demandId, table.entryId] }),
    index('demand_data_entry').on(table.entryId),
    index('demand_data_share').on(table.shareId).where(sql`share_id is not null`),
  ],
)

/** What a provider says of itself. */
export const marketProviders = pgTable('market_providers', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  introduction: text('introduction').notNull(),
  services: text('services').array().notNull(),
  regions: text('regions').array().notNull(),
  languages: text('languages').array().notNull(),
  changedAt: time('changed_at').notNull(),
})
export type ProviderRow = typeof marketProviders.$inferSelect

export const marketCases = pgTable(
  'market_cases',
  {
    id: text('id').primaryKey(),
    providerId: text('provider_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    title: text('title').notNull(),
    task: text('task').$type<WorkTask>().notNull(),
    text: text('text').notNull(),
    figures: jsonb('figures').$type<{ name: string; value: string }[]>().notNull(),
    isPublic: boolean('is_public').notNull(),
    createdAt: time('created_at').notNull(),
    changedAt: time('changed_at').notNull(),
  },
  (table) => [
    index('market_cases_provider').on(table.providerId, table.createdAt),
    index('market_cases_public').on(table.createdAt).where(sql`is_public`),
  ],
)
export type CaseRow = typeof marketCases.$inferSelect

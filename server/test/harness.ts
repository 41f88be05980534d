/** A whole server for one test file: own database, own data folder, real HTTP on a free port. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Answer, Body, Path } from '@neuroloom/contract/calls'
import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { inject } from 'vitest'
import { makeApp } from '../src/app.ts'
import { type Config, readConfig } from '../src/config.ts'
import * as accounts from '../src/features/accounts/account.ts'
import { hash } from '../src/features/accounts/sign-in/password.ts'
import * as session from '../src/features/accounts/sign-in/session.ts'
import { users } from '../src/features/accounts/tables.ts'
import { features } from '../src/features.ts'
import { type Aside, createAside } from '../src/infra/aside/aside.ts'
import { type Context, closeContext, createContext } from '../src/infra/context.ts'
import type { Feature } from '../src/infra/feature.ts'
import { createLog } from '../src/infra/log.ts'
import type { Room } from '../src/infra/room.ts'
import { TEMPLATE } from './template.ts'

/** Who calls: what a page keeps in its local storage. */
export type Session = { userId: string; token: string }
export type Reply<P extends Path> = {
  status: number
  headers: Headers
  code: number
  message: string
  data: Answer<P> & { error?: string; fields?: Record<string, string>; params?: Record<string, unknown> }
}
export type TestServer = {
  ctx: Context
  app: FastifyInstance
  /** `http://127.0.0.1:<port>` */
  url: string
  /** Makes a member and signs in. */
  signUp(options?: Partial<accounts.NewUser>): Promise<Session & { account: string }>
  /** Makes a call as JSON and gives the envelope, whatever its code. */
  call<P extends Path>(path: P, body: Body<P>, session?: Session | null): Promise<Reply<P>>
  /** Moves the server's clock. */
  forward(ms: number): void
  close(): Promise<void>
}

export const PASSWORD = 'correct horse 1'
let commonHash: Promise<string> | undefined

const ownAside = createAside({ log: createLog('silent', 'test') })
/** Its processes take a second to begin, so all servers of a test process share them, until that ends. */
const sharedAside: Aside = { ...ownAside, close: () => undefined }

export async function makeServer(
  overrides: Partial<Config> = {},
  parts: { room?: Room; features?: readonly Feature[] } = {},
): Promise<TestServer> {
  const database = overrides.databaseUrl === undefined ? await makeDatabase() : null
  const dataDir = await mkdtemp(join(tmpdir(), 'neuroloom-data-'))
  let shift = 0
  const config: Config = {
    ...readConfig({}),
    host: '127.0.0.1',
    port: 0,
    databaseUrl: database?.url,
    dataDir,
    // Tests need little, wherever they run.
    minFreeBytes: 0,
    logLevel: process.env.TEST_LOG_LEVEL ?? 'silent',
    ...overrides,
  }
  const ctx = await createContext(config, {
    features,
    log: createLog(config.logLevel, 'test'),
    now: () => new Date(Date.now() + shift),
    databaseClock: () => sql`${new Date(Date.now() + shift).toISOString()}::timestamptz`,
    poolSize: 8,
    aside: sharedAside,
    ...parts,
  })
  const app = await makeApp(ctx)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    ctx,
    app,
    url,
    signUp: (options = {}) => signUp(ctx, options),
    call: (path, body, who) => call(url, path, body, who),
    forward(ms) {
      shift += ms
    },
    async close() {
      await app.close()
      await closeContext(ctx)
      await database?.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function signUp(
  ctx: Context,
  options: Partial<accounts.NewUser>,
): Promise<Session & { account: string }> {
  // Hexadecimal: an id with a dash at an end would be no address.
  const account = options.account ?? `member${randomBytes(8).toString('hex')}@example.test`
  const fresh = { account, password: null, nickName: 'Test member', vipLevel: 1, ...options }
  const user = await accounts.createUser(ctx.db, fresh)
  // Hashing a password for every test member would cost more than the tests: all have the same, and go straight to the session.
  if (options.password === undefined) {
    commonHash ??= hash(PASSWORD)
    await ctx.db
      .update(users)
      .set({ passwordHash: await commonHash })
      .where(eq(users.id, user.id))
  }
  const { token } = await ctx.db.transaction((tx) =>
    session.open(ctx, tx, {
      userId: user.id,
      from: { address: '127.0.0.1', agent: '', browser: false },
    }),
  )
  return { userId: user.id, token, account }
}

async function call<P extends Path>(
  url: string,
  path: P,
  body: Body<P>,
  who?: Session | null,
): Promise<Reply<P>> {
  const response = await fetch(`${url}/AI/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headersOf(who) },
    body: JSON.stringify(body),
  })
  // The server's own answer; tests look at its code before they look inside.
  const answer = (await response.json()) as Omit<Reply<P>, 'status' | 'headers'>
  return { ...answer, status: response.status, headers: response.headers }
}

/** The two headers of a signed-in page. */
export const headersOf = (who?: Session | null): Record<string, string> =>
  who ? { token: who.token, userId: who.userId } : {}

/** A fresh migrated database, and its end. */
export async function makeDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = inject('postgresUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await onServer(server, `create database ${name} template ${TEMPLATE} strategy file_copy`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => onServer(server, `drop database ${name} with (force)`) }
}

/** A pool of a test's own. It ends before its lines are closed, and a database that is dropped meanwhile cuts them. */
export function makePool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString, max })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

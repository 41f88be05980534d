/** One LISTEN connection that comes back by itself. News may be lost while it is away: listeners then read anew. */
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'

export type Listener = {
  /** `heard` gets each payload; `returned` runs whenever the connection is (back) there, for what was missed. */
  on(channel: string, heard: (payload: string) => void, returned?: () => void): void
  /** Resolves when the first connection stands. */
  ready(): Promise<void>
  close(): Promise<void>
}

type Subscription = { channel: string; heard: (payload: string) => void; returned: (() => void) | undefined }

const RETRY_MS = 500
const HEARTBEAT_MS = 10_000

export function createListener(databaseUrl: string, log: FastifyBaseLogger): Listener {
  const subscriptions: Subscription[] = []
  let client: pg.Client | null = null
  let closed = false
  let opening: Promise<void> | null = null

  const open = async (): Promise<void> => {
    while (!closed) {
      let fresh: pg.Client | null = null
      try {
        fresh = await connect(databaseUrl, heard, lost)
        const line = fresh
        // From here on `on` listens by itself; nothing that was added while we connected is forgotten.
        client = line
        await Promise.all(subscriptions.map((one) => listen(line, one)))
        return
      } catch (error) {
        log.warn({ err: error }, 'cannot listen to the database; trying again')
        // Lost once more: `lost` is opening the next one already.
        if (fresh && client !== fresh) return opening ?? undefined
        client = null
        fresh?.end().catch(() => undefined)
        await wait(RETRY_MS)
      }
    }
  }
  const heard = (channel: string, payload: string): void => {
    for (const one of subscriptions) if (one.channel === channel) one.heard(payload)
  }
  const lost = (line: pg.Client): void => {
    if (closed || client !== line) return
    client = null
    log.warn('the listening database connection was lost')
    opening = open()
  }

  return {
    on(channel, heard, returned) {
      const one = { channel, heard, returned }
      subscriptions.push(one)
      // When this fails the connection is lost, and the next one begins with all subscriptions.
      if (client) listen(client, one).catch(() => undefined)
    },
    ready() {
      opening ??= open()
      return opening
    },
    async close() {
      closed = true
      await client?.end()
    },
  }
}

/** Statements of one connection, one after the other: the driver takes no second one while one is under way. */
const lines = new WeakMap<pg.Client, Promise<unknown>>()

function say(client: pg.Client, statement: string): Promise<unknown> {
  const before = lines.get(client) ?? Promise.resolve()
  const now = before.then(() => client.query(statement))
  lines.set(client, now)
  return now
}

async function listen(client: pg.Client, { channel, returned }: Subscription): Promise<void> {
  await say(client, `listen ${pg.escapeIdentifier(channel)}`)
  returned?.()
}

async function connect(
  url: string,
  heard: (channel: string, payload: string) => void,
  lost: (line: pg.Client) => void,
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
  })
  let stands = false
  const drop = (): void => {
    clearInterval(heartbeat)
    if (!stands) return
    stands = false
    // A half-open link never answers its farewell either, so nobody waits for it.
    client.end().catch(() => undefined)
    lost(client)
  }
  // A link that was cut without a word is noticed by its silence.
  const heartbeat = setInterval(() => say(client, 'select 1').catch(drop), HEARTBEAT_MS)
  heartbeat.unref()
  client.on('error', drop)
  client.on('end', drop)
  client.on('notification', ({ channel, payload }) => heard(channel, payload ?? ''))
  try {
    await client.connect()
  } catch (error) {
    drop()
    client.end().catch(() => undefined)
    throw error
  }
  stands = true
  return client
}

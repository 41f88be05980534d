/** One LISTEN connection that comes back by itself. News may be lost while it is away: listeners then read anew. */
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
  let listening: Promise<unknown> = Promise.resolve()

  const open = async (): Promise<void> => {
    while (!closed) {
      try {
        client = await connect(databaseUrl, subscriptions, () => again())
        for (const { returned } of subscriptions) returned?.()
        return
      } catch (error) {
        log.warn({ err: error }, 'cannot listen to the database; trying again')
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }
  const again = (): void => {
    if (closed) return
    client = null
    log.warn('the listening database connection was lost')
    opening = open()
  }

  return {
    on(channel, heard, returned) {
      subscriptions.push({ channel, heard, returned })
      const open = client
      if (!open) return
      // One statement after the other: the driver takes no second one while the first is under way.
      listening = listening
        .then(() => open.query(`listen ${pg.escapeIdentifier(channel)}`))
        .then(() => returned?.())
        .catch((error: unknown) => log.warn({ err: error, channel }, 'cannot listen'))
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

async function connect(url: string, subscriptions: Subscription[], lost: () => void): Promise<pg.Client> {
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
    lost()
  }
  // A link that was cut without a word is noticed by its silence.
  const heartbeat = setInterval(() => client.query('select 1').catch(drop), HEARTBEAT_MS)
  heartbeat.unref()
  client.on('error', drop)
  client.on('end', drop)
  client.on('notification', ({ channel, payload }) => {
    for (const one of subscriptions) if (one.channel === channel) one.heard(payload ?? '')
  })
  try {
    await client.connect()
    for (const channel of new Set(subscriptions.map((one) => one.channel))) {
      await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    }
  } catch (error) {
    clearInterval(heartbeat)
    client.end().catch(() => undefined)
    throw error
  }
  stands = true
  return client
}

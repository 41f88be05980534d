/** How quick a chat with a long history opens, is paged through and searched: part of `npm run bench -- chat`. */
import type { openPool } from '../server/src/infra/db.ts'
import type { Client } from './client.ts'

type Pool = ReturnType<typeof openPool>

const GOAL_MS = 150
const ROUNDS = 20
/** Half of all messages are in one chat, the others in so many. */
const CHATS = 50

export async function measureStored(
  members: readonly Client[],
  { pool, stored }: { pool: Pool; stored: number },
): Promise<void> {
  const [client, other] = members
  if (!client || !other) throw new Error('two members are needed')
  const group = await client.call('social/createGroup', { name: 'Long history' })
  await other.call('social/joinGroup', { number: group.number })
  await fill(pool, { chatId: group.chatId, senderId: other.headers.userId ?? '', stored })
  const { chatId } = group
  const place = Math.floor(stored / 4)
  const search = (text: string, chat: string | null) => () =>
    client.call('social/searchMessages', { text, chatId: chat })
  const asks: Record<string, () => Promise<unknown>> = {
    'the list of chats': () => client.call('social/chats', {}),
    'what is unread': () => client.call('social/unread', {}),
    'opening the long chat': () => client.call('social/messages', { chatId }),
    'paging back': () => client.call('social/messages', { chatId, before: place }),
    'catching up': () => client.call('social/messages', { chatId, after: place }),
    'around a message': () => client.call('social/messages', { chatId, around: place }),
    'searching the chat for a rare word': search('zebrafish', chatId),
    'searching the chat for a frequent word': search('word17', chatId),
    'searching the chat for what is not there': search('xylophone', chatId),
    'searching all chats for a rare word': search('zebrafish', null),
    'searching all chats for a frequent word': search('word17', null),
    'searching all chats for two letters': search('wo', null),
    'searching all chats for what is not there': search('xylophone', null),
  }
  console.log(`\n${stored} messages of one member, half of them in one chat`)
  for (const [name, ask] of Object.entries(asks)) await measure(name, ask)
}

async function measure(name: string, ask: () => Promise<unknown>): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now()
    await ask()
    times.push(performance.now() - start)
  }
  times.sort((one, other) => one - other)
  const [p50 = 0, p95 = 0] = [0.5, 0.95].map((share) => times[Math.ceil(ROUNDS * share) - 1])
  const isWell = p95 <= GOAL_MS
  if (!isWell) process.exitCode = 1
  console.log(
    `${name}: p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} (goal ${GOAL_MS}): ${isWell ? 'reached' : 'MISSED'}`,
  )
}

type Filling = { chatId: string; senderId: string; stored: number }

const LOADING_MS = 1_800_000

/** Straight into the tables: sent one by one they would take hours. */
async function fill(pool: Pool, { chatId, senderId, stored }: Filling): Promise<void> {
  const database = await pool.connect()
  // The product's own statements are never as long; the types do not know that each may have its limit.
  const query = (text: string, values: unknown[] = []) => {
    const limited = { text, values, query_timeout: LOADING_MS }
    return database.query<Record<string, unknown>>(limited)
  }
  try {
    await query('set statement_timeout = 0')
    await query("set maintenance_work_mem = '512MB'")
    const { rows } = await query("select indexdef from pg_indexes where indexname = 'social_messages_search'")
    await query('drop index social_messages_search')
    await query(
      `insert into social_groups (id, owner_id, number, name, introduction, created_at)
       select 'bench-group-' || n, $1, 'bench-' || n, 'Group ' || n, '', now() from generate_series(1, $2::int) n`,
      [senderId, CHATS],
    )
    await query(
      `insert into social_chats (id, kind, group_id, last_at)
       select id, 'group', id, now() from social_groups where id like 'bench-group-%'`,
    )
    await query(
      `insert into social_chat_members (chat_id, user_id, joined_at)
       select c.id, u.id, now() from social_chats c, users u
       where c.id like 'bench-group-%' and u.id like 'bench-member-%'`,
    )
    // Of each two messages one goes to the long chat, the other to each of the rest in turn.
    await query(
      `insert into social_messages (chat_id, id, sender_id, at, text, search_text, request_id)
       select chat_id, 100 + row_number() over (partition by chat_id order by n), $2,
         now() - ($3::int - n) * interval '20 seconds', words, words, 'stored ' || n
       from generate_series(1, $3::int) n,
         lateral (select case when n % 2 = 0 then $1 else 'bench-group-' || (1 + n / 2 % $4::int) end as chat_id) c,
         lateral (
           select string_agg('word' || (hashint4(n * 8 + k) & 1023), ' ')
             || case when n % 100000 < 2 then ' zebrafish' else '' end as words
           from generate_series(1, 8) k
         ) w`,
      [chatId, senderId, stored, CHATS],
    )
    await query(
      'update social_chats c set last_id = (select max(id) from social_messages m where m.chat_id = c.id)',
    )
    // Whoever has so many messages has been there for long.
    await query("update social_chat_members set joined_at = now() - $1::int * interval '20 seconds'", [
      stored,
    ])
    for (const { indexdef } of rows) await query(String(indexdef))
    await query('vacuum analyze social_messages')
  } finally {
    database.release(true)
  }
}

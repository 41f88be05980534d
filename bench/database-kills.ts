/**
 * `npm run bench -- kills --database 100`: PostgreSQL is killed so often while members write, the whole of it or one
 * process in its work. What was answered must be there afterwards, and the HTTP process must be the one from before.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { childWith, type Product, removeData, startProduct } from '../e2e/stack.ts'
import { type Client, signIn } from './client.ts'

const WRITERS = 4
/** Of writing between two kills, at most. */
const LATEST_MS = 800
const RETRY_MS = 50

type Writing = { answered: string[]; refused: number; lastBegunMs: number; over: boolean }

export async function databaseKills(count: number) {
  const product = await startProduct()
  try {
    const client = await signIn(product)
    const { id } = await client.call('files/createFolder', { parentId: null, name: 'Kills' })
    const writing: Writing = { answered: [], refused: 0, lastBegunMs: 0, over: false }
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(client, id, writer, writing))
    const processes = () => Promise.all([/main\.js/, /worker\.js/].map((name) => pidOf(product, name)))
    const waits: number[] = []
    const restarts = [0, 0]
    let before = await processes()
    for (let kill = 1; kill <= count; kill += 1) {
      await wait(Math.random() * LATEST_MS)
      waits.push(await killAndWait(product, writing, kill % 2 === 0))
      const now = await processes()
      for (const [index, pid] of now.entries())
        if (pid !== before[index]) restarts[index] = (restarts[index] ?? 0) + 1
      before = now
    }
    writing.over = true
    await Promise.all(writers)
    const there = await namesIn(client, id)
    const lost = writing.answered.filter((name) => !there.has(name))
    waits.sort((a, b) => a - b)
    console.log(`${count} kills; ${writing.answered.length} writes answered, ${writing.refused} refused`)
    console.log(`lost: ${lost.length} (goal 0) ${verdict(lost.length === 0)}`)
    console.log(
      `restarts of the HTTP process: ${restarts[0]} (goal 0) ${verdict(restarts[0] === 0)}, of the job process: ${restarts[1]}`,
    )
    console.log(
      `from the kill to the next answered write: median ${seconds(waits[waits.length >> 1])}, longest ${seconds(waits.at(-1))} (goal ≤ 15 s) ${verdict((waits.at(-1) ?? 0) <= 15_000)}`,
    )
  } finally {
    await product.stop()
    await removeData(product.dataDir)
  }
}

/** Folder after folder, each in a transaction of its own. */
async function write(client: Client, parentId: string, writer: number, writing: Writing) {
  for (let next = 1; !writing.over; next += 1) {
    const name = `${writer}-${next}`
    const begun = performance.now()
    try {
      await client.call('files/createFolder', { parentId, name })
      writing.answered.push(name)
      writing.lastBegunMs = Math.max(writing.lastBegunMs, begun)
    } catch {
      writing.refused += 1
      await wait(RETRY_MS)
    }
  }
}

/** The whole server, or one of the processes that carry out statements: then PostgreSQL begins anew by itself. */
async function killAndWait({ dataDir }: Product, writing: Writing, isWhole: boolean): Promise<number> {
  const server = Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
  process.kill(isWhole ? server : await childWith(server, /postgres: neuroloom neuroloom /), 'SIGKILL')
  const killed = performance.now()
  while (writing.lastBegunMs < killed) await wait(10)
  return performance.now() - killed
}

/** Null while it is being started again. */
const pidOf = (product: Product, name: RegExp): Promise<number | null> =>
  childWith(product.process.pid ?? 0, name).catch(() => null)

async function namesIn(client: Client, folderId: string): Promise<Set<string>> {
  const names = new Set<string>()
  for (let after: string | null = null; ; ) {
    const page: { entries: { name: string }[]; next: string | null } = await client.call('files/list', {
      folderId,
      ...(after === null ? {} : { after }),
    })
    for (const { name } of page.entries) names.add(name)
    if (page.next === null) return names
    after = page.next
  }
}

const seconds = (ms = Number.NaN) => `${(ms / 1000).toFixed(2)} s`

function verdict(isReached: boolean) {
  if (!isReached) process.exitCode = 1
  return isReached ? 'reached' : 'MISSED'
}

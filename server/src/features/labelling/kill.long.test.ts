/** The process that answers is ended at random moments while two pages of one reader draw: what it has said it kept, is kept. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fromBase64 } from '@neuroloom/contract/labelling/base64'
import { mapFrom, wholePatch } from '@neuroloom/contract/labelling/patch'
import type { Step } from '@neuroloom/contract/labelling/steps'
import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { headersOf, makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { makeSet, mapOf, rectangle, stepOf } from '../../../test/labels.ts'
import { programOf } from '../../../test/program.ts'
import { gone } from '../../../test/training.ts'
import { labelSteps } from './tables.ts'
import { fold } from './wholes.ts'

const STROKES = 500
const KILLS = 3

let server: TestServer
let child: ChildProcess | null = null
/** Null while nobody answers. */
let url: string | null = null
beforeAll(async () => {
  server = await makeServer()
})
afterAll(async () => {
  child?.kill('SIGKILL')
  await server.close()
})

/** As the product starts it. */
async function start(): Promise<void> {
  const { script, execArgv } = programOf('main')
  const { databaseUrl, dataDir, logLevel } = server.ctx.config
  const env = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: logLevel,
    HOST: '127.0.0.1',
    PORT: '0',
  }
  const started = fork(script, {
    ...{ cwd: join(import.meta.dirname, '../../..'), execArgv },
    env: { PATH: process.env.PATH, HOME: process.env.HOME, MIN_FREE_BYTES: '0', ...env },
  })
  child = started
  const { port } = await new Promise<{ port: number }>((resolve, reject) => {
    started.once('message', (message) => resolve(message as { port: number }))
    started.once('exit', (code) => reject(new Error(`The server ended with ${code}`)))
  })
  url = `http://127.0.0.1:${port}`
}

type Page = { steps: Step[]; kept: number; lost: number }

/** Sends what it has not heard of, again and again, a few strokes at a time. */
async function send(page: Page, who: Session, readingId: string): Promise<void> {
  while (page.kept < page.steps.length) {
    const some = page.steps.slice(page.kept, page.kept + 1 + (page.kept % 7))
    const at = url
    const answer = at === null ? null : await post(at, { readingId, after: 0, steps: some }, who)
    if (answer === null) {
      page.lost += 1
      await wait(50)
    } else {
      expect(answer).toMatchObject({ code: 10200 })
      page.kept += some.length
    }
  }
}

const post = (at: string, body: object, who: Session): Promise<object | null> =>
  fetch(`${at}/AI/api/labelling/save`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headersOf(who) },
    body: JSON.stringify(body),
  }).then(
    (response) => response.json().catch(() => null) as Promise<object | null>,
    () => null,
  )

it('no stroke is lost or kept twice, and the labels are what was drawn', async () => {
  const me = await server.signUp()
  const set = await makeSet(server, me)
  const itemId = set.items[2]?.id ?? ''
  const { data: opened } = await server.call('labelling/open', { itemId }, me)
  const readingId = opened.reading?.id ?? ''
  const map = mapOf(300, 40)
  // The one draws above, the other below, so that it does not matter who comes first.
  const pages: Page[] = [0, 20].map((top) => ({
    ...{ kept: 0, lost: 0 },
    steps: Array.from({ length: STROKES / 2 }, (_, index) => {
      const place = {
        x: (index * 7) % 280,
        y: top + (index % 15),
        width: 3 + (index % 12),
        height: 1 + (index % 4),
      }
      return stepOf(rectangle(map, { ...place, segment: 1 + (index % 200) }))
    }),
  }))
  const stored = () =>
    server.ctx.db
      .select({ seq: labelSteps.seq, id: labelSteps.stepId })
      .from(labelSteps)
      .where(eq(labelSteps.readingId, readingId))
      .orderBy(asc(labelSteps.seq))
  await start()
  const drawing = Promise.all(pages.map((page) => send(page, me, readingId)))
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const enough = (STROKES * kill) / (KILLS + 1)
    await expect
      .poll(() => pages.reduce((sum, { kept }) => sum + kept, 0), { timeout: 120_000, interval: 5 })
      .toBeGreaterThan(enough)
    await wait(Math.random() * 60)
    const ended = child
    url = null
    ended?.kill('SIGKILL')
    if (ended) await gone(ended)
    const before = pages.flatMap(({ steps, kept }) => steps.slice(0, kept).map(({ id }) => id))
    const there = new Set((await stored()).map(({ id }) => id))
    expect(before.filter((id) => !there.has(id))).toEqual([])
    await start()
  }
  await drawing
  const kept = await stored()
  expect(kept.map(({ seq }) => seq)).toEqual(Array.from({ length: STROKES }, (_, index) => index + 1))
  for (const { steps } of pages) {
    const ids = new Set(steps.map(({ id }) => id))
    expect(kept.map(({ id }) => id).filter((id) => ids.has(id))).toEqual(steps.map(({ id }) => id))
  }
  await fold(server.ctx, readingId)
  const { data: last } = await server.call('labelling/open', { itemId }, me)
  expect([last.wholeSeq, last.steps]).toEqual([STROKES, []])
  expect(wholePatch(mapFrom([300, 40, 1], fromBase64(last.whole.pixels)))).toEqual(wholePatch(map))
}, 400_000)

/** A known flow, from a study to its run, planes and a picture, and all of that in the report: as a page and as PDF. */
import { languages } from '@neuroloom/contract/language'
import { flowStatements } from '@neuroloom/contract/statement-names'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acrossPipe, asked, flowSteps, makeFlowServer, png } from '../../../../test/flow-runs.ts'
import type { Session, TestServer } from '../../../../test/harness.ts'
import { fetchReport, onPaper } from '../../../../test/pdf.ts'
import { startWorker, type TestWorker } from '../../../../test/worker.ts'
import { users } from '../../accounts/tables.ts'

let server: TestServer
let worker: TestWorker
let me: Session
let projectId: string
let runId: string
/** Millilitres, as pages are told them. */
let net: string

beforeAll(async () => {
  server = await makeFlowServer()
  const steps = flowSteps(server)
  worker = await startWorker(server)
  me = await server.signUp({ vipLevel: 4, vipSuper: 1 })
  const studyId = await steps.study(me, { phantom: 'womersley', frames: 8 })
  projectId = await steps.project(me, studyId)
  const run = await steps.start(me, { projectId, studyId }, { ...asked, seed: 11 })
  runId = (await steps.ended(me, run.id)).id
  const sections = [acrossPipe(8, { name: '升主动脉' }), acrossPipe(15, { name: 'Дуга' })]
  await server.call('flow/keepSections', { runId, sections }, me)
  await server.call('flow/keepFigure', { runId, caption: 'Линии тока 流线', png: png(640, 480) }, me)
  const detail = await steps.measured(me, runId)
  const volume = detail.sections[0]?.numbers?.net
  if (volume === null || volume === undefined) throw new Error('No net volume was told')
  net = (volume * 1e6).toFixed(1)
})
afterAll(async () => {
  await worker.stop()
  await server.close()
})

const setLevel = (vipLevel: number, vipSuper = 0) =>
  server.ctx.db.update(users).set({ vipLevel, vipSuper }).where(eq(users.id, me.userId))
const show = (language: (typeof languages)[number] = 'en', who = me) =>
  server.call('reports/show', { id: runId, language }, who)
const fetchPdf = (language: (typeof languages)[number]) => fetchReport(server, me, { id: runId, language })
const flat = (pages: readonly string[]): string => pages.join('').replace(/\s+/g, '')

describe('the report of a flow run', () => {
  it('tells the net volume that the run tells, of each plane by its name', async () => {
    expect(Number(net)).toBeGreaterThan(1)
    const { data } = await show()
    const through = data.sections.flatMap(({ blocks }) =>
      blocks.flatMap((one) => (one.kind === 'table' && one.anchor === 'through' ? one.rows : [])),
    )
    expect(through.map(([name]) => name)).toEqual(['1. 升主动脉', '2. Дуга'])
    expect(through[0]?.[1]).toBe(net)
    const [picture] = data.sections.flatMap(({ blocks }) =>
      blocks.flatMap((one) => (one.kind === 'pictures' ? one.pictures : [])),
    )
    expect(picture).toMatchObject({ name: 'Figure 1', caption: 'Линии тока 流线' })
    const answer = await fetch(server.url + picture?.url)
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await answer.arrayBuffer()).toString('base64')).toBe(png(640, 480))
    // The seed, and what the engine was.
    expect(JSON.stringify(data.sections.find(({ id }) => id === 'origin'))).toMatch(
      /"11".*[0-9a-f]{64}|[0-9a-f]{64}/,
    )
    expect(JSON.stringify(data.sections.find(({ id }) => id === 'origin'))).toContain('numpy')
  })

  it.each(languages)('has every word in %s', async (language) => {
    const { data } = await show(language)
    expect(JSON.stringify(data)).not.toMatch(/\{\{|undefined|NaN/)
  })

  it.each(onPaper('ru'))('has every section in %s on paper', async (language) => {
    const { data } = await show(language)
    const pages = await fetchPdf(language)
    expect(pages.length).toBeGreaterThanOrEqual(3)
    expect(pages.length).toBeLessThanOrEqual(9)
    const text = flat(pages)
    for (const { title } of data.sections) expect(text).toContain(title.replace(/\s+/g, ''))
    expect(text).toContain('升主动脉')
    expect(text).toContain('Дуга')
    expect(text).toContain('Линиитока流线')
    expect(text).toContain(language === 'ru' ? net.replace('.', ',') : net)
    // Each page says what these numbers are for.
    const foot = { en: 'notfordiagnosis', zh: '不用于诊断', ru: 'недлядиагностики' }[language]
    for (const page of pages) expect(page.replace(/\s+/g, '')).toContain(foot)
  })

  it('leads from each answered item of its checklist to the page where it stands', async () => {
    for (const name of flowStatements)
      await server.call('projects/setStatement', { id: projectId, name, text: `Со слов ${name}` }, me)
    const { data } = await show()
    const [list] = data.sections.flatMap(({ blocks }) => blocks.filter((one) => one.kind === 'checklist'))
    if (list?.kind !== 'checklist') throw new Error('There is no checklist')
    const apply = list.items.filter(({ state }) => state !== 'notApplicable')
    expect(apply.filter(({ state }) => state === 'answered').length / apply.length).toBeGreaterThanOrEqual(
      0.9,
    )
    const pages = await fetchPdf('en')
    const last = pages.slice(-2).join(' ').replace(/\s+/g, ' ')
    for (const [item, place] of Object.entries({
      VENC: 'VENC',
      Segmentation: 'Mask',
      Funding: 'Со слов funding',
    })) {
      const page = Number(new RegExp(`\\d ${item} page (\\d+)`).exec(last)?.[1])
      expect(pages[page - 1]?.replace(/\s+/g, ' '), `${item} on page ${page}`).toContain(place)
    }
  })

  it('is read by everybody who may see it, downloaded from bronze on, and without watermark by gold', async () => {
    await setLevel(1)
    expect((await show()).data).toMatchObject({ mayDownload: false })
    const refused = await server.call('reports/download', { id: runId, language: 'en' }, me)
    expect(refused.data).toMatchObject({ error: 'report_level' })
    await setLevel(2)
    expect((await show()).data).toMatchObject({ mayDownload: true, hasWatermark: true, isFlow: true })
    const marks = (pages: readonly string[]): number => flat(pages).match(/Neuroloom/g)?.length ?? 0
    const marked = await fetchPdf('en')
    await setLevel(4)
    expect((await show()).data).toMatchObject({ mayDownload: true, hasWatermark: false })
    const plain = await fetchPdf('en')
    expect(plain).toHaveLength(marked.length)
    expect(marks(marked)).toBe(marks(plain) + marked.length)
    await setLevel(4, 1)
  })

  it('is of finished runs alone, and hidden from strangers', async () => {
    const stranger = await server.signUp({ vipLevel: 4 })
    expect((await show('en', stranger)).data).toMatchObject({ error: 'run_missing' })
    const steps = flowSteps(server)
    const studyId = await steps.study(me)
    await server.call('flow/addToProject', { projectId, studyId }, me)
    const mask = { kind: 'threshold' as const, level: 0.9, grow: [[0, 0, 0] as [number, number, number]] }
    const failed = await steps.start(me, { projectId, studyId }, { ...asked, mask })
    expect((await steps.ended(me, failed.id)).state).toBe('failed')
    const asking = { id: failed.id, language: 'en' } as const
    expect((await server.call('reports/show', asking, me)).data).toMatchObject({ error: 'report_not_ready' })
    expect((await server.call('reports/download', asking, me)).data).toMatchObject({
      error: 'report_not_ready',
    })
  })
})

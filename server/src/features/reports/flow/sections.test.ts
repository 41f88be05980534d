import { flowItems } from '@neuroloom/contract/flow/checklist'
import { languages } from '@neuroloom/contract/language'
import { type ReportBlock, reportSchema } from '@neuroloom/contract/reports'
import { flowStatements } from '@neuroloom/contract/statement-names'
import { describe, expect, it } from 'vitest'
import { clinical, finer, known, section, single } from '../../../../test/flow-facts.ts'
import type { FlowFacts } from './facts.ts'
import { flowReport } from './show.ts'

const rights = { mayDownload: true, hasWatermark: true }
const of = (facts: FlowFacts, language: (typeof languages)[number] = 'en') =>
  flowReport(facts, { language, rights, urlOf: ({ id }) => `/picture/${id}` })

type Table = Extract<ReportBlock, { kind: 'table' }>
const tableIn = (facts: FlowFacts, anchor: string): Table => {
  const found = of(facts)
    .sections.flatMap(({ blocks }) => blocks)
    .find((block): block is Table => block.kind === 'table' && block.anchor === anchor)
  if (!found) throw new Error(`There is no table ${anchor}`)
  return found
}

function anchorsIn(block: ReportBlock): string[] {
  if (block.kind === 'facts') return block.facts.flatMap(({ anchor }) => anchor ?? [])
  return (block.kind === 'text' || block.kind === 'table') && block.anchor ? [block.anchor] : []
}

const checklist = (facts: FlowFacts) => {
  const [found] = of(facts).sections.flatMap(({ blocks }) => blocks.filter((one) => one.kind === 'checklist'))
  if (found?.kind !== 'checklist') throw new Error('There is no checklist')
  return found
}

const kinds = { known, clinical, single, finer }

describe.each(languages)('the report of a flow run in %s', (language) => {
  const statements = Object.fromEntries(flowStatements.map((name) => [name, 'Said']))
  it.each(Object.keys(kinds) as (keyof typeof kinds)[])('has every word (%s)', (kind) => {
    const report = of({ ...kinds[kind](), statements }, language)
    expect(reportSchema.parse(report)).toEqual(report)
    expect(JSON.stringify(report)).not.toMatch(/\{\{|undefined|NaN|null,null|Infinity|-0\b/)
    for (const { id, blocks } of report.sections)
      for (const block of blocks)
        if (block.kind === 'table') {
          // Pages and screen readers tell cells apart by these.
          expect(new Set(block.head).size, `${id}: ${block.head}`).toBe(block.head.length)
          expect(new Set(block.rows.map(([name]) => name)).size, id).toBe(block.rows.length)
          for (const row of block.rows) expect(row).toHaveLength(block.head.length)
        }
    // On paper two places of one name are none.
    const anchors = report.sections.flatMap(({ id, blocks }) => [id, ...blocks.flatMap(anchorsIn)])
    expect(new Set(anchors).size, anchors.join()).toBe(anchors.length)
  })
})

it('tells numbers in units of the clinic, as the language writes them', () => {
  const [head, first] = [tableIn(known(), 'through').head, tableIn(known(), 'through').rows[0]]
  expect(head.slice(0, 5)).toEqual([
    'Plane',
    ...['Net (mL)', 'Forward (mL)', 'Backward (mL)', 'Regurgitant fraction (%)'],
  ])
  expect(first).toEqual(['1. Inlet', '83.0', '84.3', '1.3', '1.5', '300.0', '123.4', '25.9', '400'])
  expect(tableIn(known(), 'main').rows[0]).toEqual([
    'Net volume a beat, 1. Inlet',
    '83.0 mL (6.22 L/min)',
    'vessel in the mask, exact area',
  ])
  const text = JSON.stringify(of(known(), 'ru'))
  expect(text).toContain('83,0 мл')
  expect(text).toContain('4,00 мДж')
})

it('names what was corrected and from what to what', () => {
  expect(tableIn(known(), 'steps').rows).toEqual([
    ['Background (what still tissue seems to move by)', 'yes', '2.10 cm/s', '0.12 cm/s'],
    ['Unwrapping (velocities beyond VENC)', 'yes', '1.30 % of voxels torn', '0.01 % of voxels torn'],
    ['Noise filter (only to count turns)', 'no: not needed', '–', '–'],
    ['Directions', 'as recorded', '–', '–'],
  ])
  const [, turned] = [null, tableIn(clinical(), 'steps').rows.at(-1)]
  expect(turned?.[1]).toBe('turned by a person: x = + component 2, y = − component 1, z = + component 3')
  expect(JSON.stringify(of(clinical()).sections[0])).toContain('Corrected before: directions turned.')
  expect(JSON.stringify(of(known()).sections[0])).toContain(
    'Corrected before: background (polynomial of order 1), velocities beyond VENC unwrapped.',
  )
})

it('says of each unknown number why it is not known', () => {
  const text = JSON.stringify(of(clinical()))
  expect(tableIn(clinical(), 'through').rows[0]?.slice(0, 4)).toEqual([
    '1. Thin',
    ...Array(3).fill('not known'),
  ])
  expect(text).toContain('with prospective gating the end of the beat is missing')
  expect(text).toContain('2. Outside was not measured: its centre lies outside the mask')
  expect(tableIn(clinical(), 'lights').rows[1]).toEqual([
    'Velocity over noise (VNR)',
    'not known',
    'at least 10 (5 at the very least)',
    'not known: nothing around the vessels stands still',
  ])
  const one = JSON.stringify(of(single()))
  expect(one).toContain('Volumes of a beat are not known: there is only one moment in time.')
  expect(one).not.toContain('"kind":"drawings"')
  const head = ['Plane', 'Flow (mL/s)', 'Peak velocity (cm/s)', 'Mean velocity (cm/s)', 'Area (mm²)']
  expect(tableIn(single(), 'through')).toMatchObject({
    head,
    rows: [['1. Only', '100.0', '90.0', '25.0', '400']],
  })
  expect(tableIn(single(), 'main').rows[0]?.slice(0, 2)).toEqual([
    'Flow at the one moment, 1. Only',
    '100.0 mL/s',
  ])
})

it('warns of what these numbers stand on', () => {
  const limits = (facts: FlowFacts) => JSON.stringify(of(facts).sections.find(({ id }) => id === 'limits'))
  expect(limits(clinical())).toContain('fewer than 7 voxels across in: 1. Thin')
  expect(limits(clinical())).toContain('Largest side of a voxel: 3.60 mm, asked for: at most 2.50 mm')
  expect(limits(clinical())).toContain('disagree by several percent')
  expect(limits(clinical())).not.toContain('known flow')
  expect(limits(known())).toContain('numbers of a known flow')
  expect(limits(known())).not.toContain('fewer than 7 voxels')
})

describe('of a study that a network made finer', () => {
  const sectionOf = (facts: FlowFacts, id: string, language: (typeof languages)[number] = 'en') =>
    JSON.stringify(of(facts, language).sections.find((one) => one.id === id))
  it.each([
    ['en', 'not measured', '31.2 %', '28.0 %', '34.4 %', 'Small 4DFlowNet'],
    ['zh', '并非以', '31.2 %', '28.0 %', '34.4 %', '小型 4DFlowNet'],
    ['ru', 'не измерялись', '31,2 %', '28,0 %', '34,4 %', 'Малая 4DFlowNet'],
  ] as const)('the first part and the methods say so (%s)', (language, ...told) => {
    for (const id of ['summary', 'methods'])
      for (const one of told) expect(sectionOf(finer(), id, language)).toContain(one)
  })

  it('the scan, the limits and the origin say so, and the checklist leads there', () => {
    expect(sectionOf(finer(), 'scan')).toContain('made 2 times finer by a network; not measured so finely')
    expect(sectionOf(finer(), 'limits')).toContain('learned on known flows alone')
    expect(sectionOf(finer(), 'origin')).toContain('e'.repeat(64))
    const resolution = checklist(finer()).items.find(({ item }) => item === 'resolution')
    expect(resolution).toMatchObject({ state: 'answered', anchor: 'resolution' })
    for (const id of ['summary', 'methods', 'scan', 'limits', 'origin'])
      expect(sectionOf(clinical(), id)).not.toMatch(/ finer|4DFlowNet/)
  })

  it('a known flow stays one', () => {
    expect(sectionOf(finer(true), 'summary')).toContain('nobody was scanned')
    expect(sectionOf(finer(true), 'limits')).toContain('numbers of a known flow')
    expect(sectionOf(finer(), 'summary')).not.toContain('nobody was scanned')
  })
})

it('draws planes in one chart that is read without colours, and says it in words', () => {
  const planes = of(known()).sections.find(({ id }) => id === 'planes')
  const drawings = planes?.blocks.flatMap((one) => (one.kind === 'drawings' ? one.drawings : []))
  expect(drawings).toHaveLength(1)
  const [{ svg = '', text = '' } = {}] = drawings ?? []
  expect(svg.match(/<path[^>]*stroke-width="1.6"/g)).toHaveLength(2)
  // Four points and a key each.
  expect(svg.match(/stroke-width="1.2"/g)).toHaveLength(10)
  expect(text).toContain('1. Inlet: highest 300.0 mL/s at 400 ms.')
})

it('shows more planes than a chart holds in several', () => {
  const facts = known()
  const sections = Array.from({ length: 12 }, (_, index) => section(`Plane ${index}`))
  const planes = of({ ...facts, sections }).sections.find(({ id }) => id === 'planes')
  const drawings = planes?.blocks.flatMap((one) => (one.kind === 'drawings' ? one.drawings : []))
  expect(drawings?.map(({ caption }) => caption)).toEqual(
    [1, 2, 3].map((part) => `Flow through the planes (${part} of 3)`),
  )
})

describe('the checklist', () => {
  it('answers nine of ten items that apply once the questions are, of every kind of study', () => {
    const statements = Object.fromEntries(flowStatements.map((name) => [name, `Answer to ${name}`]))
    for (const make of Object.values(kinds)) {
      const { items } = checklist({ ...make(), statements })
      expect(items.map(({ item }) => item)).toEqual([...flowItems])
      const apply = items.filter(({ state }) => state !== 'notApplicable')
      const answered = apply.filter(({ state }) => state === 'answered')
      expect(answered.length / apply.length).toBeGreaterThanOrEqual(0.9)
      // What does not apply are few, but for a flow that nobody scanned.
      if (make !== known) expect(apply.length).toBeGreaterThanOrEqual(40)
    }
  })

  it('leads to places that are there, and asks for what only people know', () => {
    for (const make of Object.values(kinds)) {
      const facts = make()
      const text = JSON.stringify(of(facts).sections.slice(0, -1))
      const ids = of(facts).sections.map(({ id }) => id)
      for (const { item, state, anchor, question } of checklist(facts).items) {
        if (state === 'answered')
          expect(ids.some((id) => id === anchor) || text.includes(`"anchor":"${anchor}"`), item).toBe(true)
        if (state === 'notStated') expect(question, item).not.toBeNull()
      }
    }
  })

  it('answers by itself what the files tell, and asks nothing of scanners for a known flow', () => {
    const stateOf = (facts: FlowFacts, name: string) =>
      checklist(facts).items.find(({ item }) => item === name)?.state
    expect(stateOf(clinical(), 'manufacturer')).toBe('answered')
    expect(stateOf(clinical(), 'venc')).toBe('answered')
    expect(stateOf(clinical(), 'fieldStrength')).toBe('notStated')
    expect(stateOf(known(), 'fieldStrength')).toBe('notApplicable')
    expect(stateOf(single(), 'gating')).toBe('notStated')
    expect(stateOf(single(), 'consistency')).toBe('notApplicable')
    expect(JSON.stringify(of(known()).sections.find(({ id }) => id === 'study'))).not.toContain(
      'Field strength',
    )
    expect(JSON.stringify(of(clinical()).sections.find(({ id }) => id === 'study'))).toContain(
      'Field strength',
    )
  })
})

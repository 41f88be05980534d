import type { ReportBlock } from '@neuroloom/contract/reports'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Paper, partsOf, readPaper } from '../../../../test/pdf.ts'
import { drawChart } from '../charts.ts'
import type { PdfTask } from './pdf.ts'
import { setReport } from './pdf-set.ts'

const FULL = 0.75

const svg = drawChart({
  x: 'x',
  y: 'y',
  lines: [
    {
      name: 'one',
      points: [
        [0, 0],
        [1, 1],
      ],
    },
  ],
})
const chart = (caption: string) => ({ caption, text: `What ${caption} shows`, svg, width: 380, height: 216 })
const tall =
  '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="2000" viewBox="0 0 600 2000"><text x="9" y="1990" font-size="40">end</text></svg>'

const sentence = 'A sentence of some length that says what was done, how often and with what result. '
const paragraph = (times: number): ReportBlock => ({ kind: 'text', text: sentence.repeat(times) })
const table = (caption: string, rows: number): ReportBlock => ({
  kind: 'table',
  caption,
  head: ['Measure', 'Value', '95 % range'],
  rows: Array.from({ length: rows }, (_, row) => [`row ${row + 1}`, '0.9', '0.8 – 1.0']),
})
const facts = (count: number): ReportBlock => ({
  kind: 'facts',
  facts: Array.from({ length: count }, (_, one) => ({ label: `Fact ${one}`, value: sentence.repeat(2) })),
})
const pictures = (count: number, text: string): ReportBlock => ({
  kind: 'pictures',
  text,
  pictures: Array.from({ length: count }, (_, one) => ({
    ...{ url: 'square', heat: null, name: `${text} ${one + 1}`, caption: 'Score 0.5' },
  })),
})

async function makeTask(
  sections: ReportBlock[][],
  changes: Partial<PdfTask['report']> = {},
): Promise<PdfTask> {
  const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#888' } })
    .png()
    .toBuffer()
  return {
    report: {
      title: 'Cells: report of a test',
      subtitle: 'Test 1',
      hasWatermark: false,
      sections: sections.map((blocks, index) => ({
        id: `part${index}`,
        title: `Section ${index + 1}`,
        blocks,
      })),
      ...changes,
    },
    language: 'en',
    pictures: { square: { png, width: 64, height: 64 } },
    texts: {
      watermark: 'Copy',
      foot: 'Made by a test',
      page: 'Page {current} of {count}',
      drawingTooLarge: '',
    },
  }
}

const paperOf = async (task: PdfTask): Promise<Paper> => readPaper(new Uint8Array(await setReport(task)))

describe('pages', () => {
  /** Blocks that used to jump as a whole: long tables, charts, a tall drawing, rows of pictures. */
  const jumping: ReportBlock[][] = [
    [paragraph(4), { kind: 'drawings', drawings: [chart('a'), chart('b')] }],
    [table('Figures', 15), table('Class by class', 14)],
    [
      facts(3),
      { kind: 'drawings', drawings: [{ ...chart('structure'), svg: tall, width: 600, height: 2000 }] },
    ],
    [facts(9)],
    [{ kind: 'drawings', drawings: [chart('c'), chart('d'), chart('e'), chart('f')] }],
    [pictures(12, 'Worst')],
    [table('Patients', 16)],
    [{ kind: 'notes', notes: Array.from({ length: 9 }, () => sentence.repeat(2)) }],
  ]

  it.each([0, 9, 18, 27])('are three quarters full but for the last, after %i lines more', async (lines) => {
    const more: ReportBlock[] = lines === 0 ? [] : [{ kind: 'text', text: 'line\n'.repeat(lines) }]
    const { pages, filled } = await paperOf(
      await makeTask([more, ...jumping].filter((one) => one.length > 0)),
    )
    expect(pages.length).toBeGreaterThan(3)
    for (const [index, share] of filled.slice(0, -1).entries())
      expect(share, `page ${index + 1}: ${filled.join(', ')}`).toBeGreaterThan(FULL)
    // No heading is the last thing on its page.
    for (const page of pages.slice(0, -1)) expect(page).not.toMatch(/Section \d+\s+Made by a test/)
    const text = pages.join(' ')
    for (const name of ['structure', 'a', 'b', 'c', 'd', 'e', 'f'].map((one) => ` ${one} `))
      expect(text).toContain(name)
    for (let one = 1; one <= 12; one += 1) expect(text).toContain(`Worst ${one}`)
  })
})

it('a table whose long words do not fit beside each other goes on below, and nothing leaves the page', async () => {
  const figures = ['Чувствительность', 'Специфичность', 'Распространённость', 'Воспроизводимость']
  const names = [...figures, ...figures.map((name) => `${name} одного снимка`)]
  const wide: ReportBlock = {
    kind: 'table',
    caption: 'Figures',
    head: ['Class', ...names],
    rows: [['Nuclei', ...names.map((_, index) => `0.${index + 1}`)]],
  }
  const { pages, reached } = await paperOf(await makeTask([[wide]]))
  expect(Math.max(...reached)).toBeLessThan(1 - 42 / 595 + 0.001)
  for (const text of [...figures, '0.1', '0.8']) expect(pages.join(' ')).toContain(text)
  expect(pages.join(' ').split('Class')).toHaveLength(3)
})

describe('the structure for screen readers', () => {
  let paper: Paper
  beforeAll(async () => {
    const sections: ReportBlock[][] = [
      [paragraph(1), pictures(3, 'Best'), pictures(3, 'Worst'), { kind: 'drawings', drawings: [chart('a')] }],
      [table('Figures', 90), { kind: 'notes', notes: ['Keep in mind.'] }],
    ]
    paper = await paperOf(await makeTask(sections, { hasWatermark: true }))
  })

  it('is there, with the title and the language of the report', () => {
    expect(paper).toMatchObject({ isTagged: true, title: 'Cells: report of a test', language: 'en-GB' })
  })

  it('has the title, the headings and a part for each section', () => {
    const [first] = paper.structure.flatMap((page) => partsOf(page, 'Document'))
    if (!first) throw new Error('no document')
    expect(partsOf(first, 'H1').map(({ words }) => words)).toEqual(['Cells: report of a test'])
    const headings = paper.structure.flatMap((page) => partsOf(page, 'H2')).map(({ words }) => words)
    expect(headings).toEqual(['Section 1', 'Section 2'])
    expect(partsOf(first, 'Sect').length).toBeGreaterThan(0)
  })

  it('says of pictures and drawings what they show', () => {
    const figures = paper.structure.flatMap((page) => partsOf(page, 'Figure')).map(({ alt }) => alt)
    expect(figures).toContain('Best 1. Score 0.5')
    expect(figures).toContain('What a shows')
    expect(figures).toHaveLength(7)
  })

  it('reads the head of a table once, though each page shows it, and all of its rows', () => {
    expect(paper.pages.filter((page) => page.includes('Measure')).length).toBeGreaterThan(1)
    const all = (role: string) =>
      paper.structure.flatMap((page) => partsOf(page, role)).map(({ words }) => words)
    expect(all('Caption').filter((words) => words !== '')).toEqual(['Figures'])
    expect(all('TH').filter((words) => words === 'Measure')).toHaveLength(1)
    expect(all('TH').filter((words) => words.startsWith('row'))).toHaveLength(90)
    expect(all('TD').filter((words) => words === '0.9')).toHaveLength(90)
    expect(all('LBody')).toEqual(['Keep in mind.'])
  })

  it('leaves out footers and the watermark', () => {
    expect(paper.pages[0]).toContain('Made by a test')
    expect(paper.pages[0]).toContain('Copy')
    expect(JSON.stringify(paper.structure)).not.toMatch(/Made by a test|Copy|Page 1/)
  })
})

/**
 * `npm run bench -- burned-in [pictures]`: draws as many ultrasound-like pictures with texts in three scripts and as many
 * without any (1,000 each), has the product look for texts, and tells the share of pictures in which every text is covered
 * (95 % of its area, goal 99.9 %), that of single texts by script, size and look, false alarms on clean pictures (goal at
 * most 2 %), and seconds a picture. Depth scales name nobody: their digits stand in a row of their own.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Found } from '../server/src/infra/reader/texts/find.ts'
import { textsOf } from '../server/src/infra/reader/texts/scan-film.ts'
import { draw, fonts, openDrawn, overlap, type Text } from './burned-in/drawn.ts'

/** Drawn at a time, so that the disk holds few. */
const BATCH = 20
/** None of them was learned from or looked at while thresholds were chosen. */
const FIRST_SEED = 100_001
const COVERED = 0.95

const count = Number(process.argv[2] ?? 1000)
const folder = mkdtempSync(join(tmpdir(), 'burned-in-'))
const shares = new Map<string, { found: number; all: number }>()
const times: number[] = []
let boxesBeside = 0

try {
  console.log(`${count} pictures with texts and ${count} without; ${fonts.length} fonts`)
  let whole = 0
  let alarms = 0
  for (let seed = FIRST_SEED; seed < FIRST_SEED + count; seed += BATCH) {
    const some = Math.min(BATCH, FIRST_SEED + count - seed)
    draw(folder, 'text', seed, some)
    draw(folder, 'clean', seed, some)
    for (let one = seed; one < seed + some; one += 1) {
      if (await isWhollyFound(`text-${one}`)) whole += 1
      if (await isAlarm(`clean-${one}`)) alarms += 1
    }
    rmSync(folder, { recursive: true, force: true })
  }
  report(whole, alarms)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** As the product does in a process of its own: reading included. */
async function lookAt(name: string): Promise<{ texts: Text[]; found: Found[] }> {
  const start = performance.now()
  const { film, texts } = await openDrawn(folder, name)
  const found = textsOf(film)
  times.push((performance.now() - start) / 1000)
  return { texts, found }
}

async function isWhollyFound(name: string): Promise<boolean> {
  const { texts, found } = await lookAt(name)
  boxesBeside += found.filter((box) => !texts.some((text) => isOver(box, text))).length
  let isWhole = true
  for (const text of texts) {
    const isFound = coverage(text, found) >= COVERED
    const rows =
      text.kind === 'scale'
        ? ['digits of depth scales']
        : ['all', `script ${text.script}`, `size ${sizeOf(text)}`, `look ${text.look}`, `kind ${text.kind}`]
    for (const row of rows) tally(row, isFound)
    if (!isFound && text.kind !== 'scale') {
      isWhole = false
      console.log(`  missed in ${name}: ${JSON.stringify(text)}`)
    }
  }
  return isWhole
}

async function isAlarm(name: string): Promise<boolean> {
  return (await lookAt(name)).found.length > 0
}

function sizeOf({ size }: Text): string {
  if (size < 13) return ' 9–12 px'
  return size < 19 ? '13–18 px' : '19–28 px'
}

function isOver(box: Found, text: Text): boolean {
  return overlap(box, text) > 0
}

/** Share of the text's area that lies in any box. */
function coverage(text: Text, boxes: readonly Found[]): number {
  const over = boxes.filter((box) => isOver(box, text))
  let covered = 0
  for (let y = text.y; y < text.y + text.h; y += 1) {
    for (let x = text.x; x < text.x + text.w; x += 1) {
      if (over.some((box) => x >= box.x && x < box.x + box.w && y >= box.y && y < box.y + box.h)) covered += 1
    }
  }
  return covered / (text.w * text.h)
}

function tally(row: string, isFound: boolean): void {
  const share = shares.get(row) ?? { found: 0, all: 0 }
  shares.set(row, { found: share.found + (isFound ? 1 : 0), all: share.all + 1 })
}

function report(whole: number, alarms: number): void {
  const percent = (part: number, all: number): string => `${((100 * part) / all).toFixed(2)} %`
  console.log(`pictures with every text found   ${percent(whole, count)} (goal 99.90 %)`)
  console.log(`clean pictures with an alarm     ${percent(alarms, count)} (goal at most 2 %)`)
  for (const [row, { found, all }] of [...shares].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`  ${row.padEnd(30)} ${percent(found, all)} of ${all}`)
  console.log(`boxes beside texts               ${(boxesBeside / count).toFixed(2)} a picture with texts`)
  const sorted = times.sort((a, b) => a - b)
  const at = (part: number): string => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(2)
  console.log(`seconds a picture                ${at(0.5)} (median), ${at(0.95)} (95th percentile)`)
}

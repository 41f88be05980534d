/**
 * `npm run bench -- burned-in-learn [texts] [names] [clean]`: draws pictures of other seeds than those reported, tells which
 * lines of blobs are text, and has `learn.py` learn from their looks the numbers of `server/src/infra/reader/texts/weights.ts`.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../e2e/stack.ts'
import { frameOf } from '../server/src/infra/reader/texts/film.ts'
import { type Candidate, candidatesOf } from '../server/src/infra/reader/texts/find.ts'
import { draw, openDrawn, overlap, type Text, type What } from './burned-in/drawn.ts'

/** Drawn at a time, so that the disk holds few. */
const BATCH = 20
/** In pixels around a text: what belongs to it. */
const MARGIN = 4

const [texts = 450, names = 375, clean = 675] = process.argv.slice(2).map(Number)
const folder = mkdtempSync(join(tmpdir(), 'burned-in-'))
const pictures = join(folder, 'pictures')
const table = join(folder, 'looks.txt')
try {
  await noteAll('text', texts)
  await noteAll('names', names)
  await noteAll('clean', clean)
  const script = join(root, 'bench/burned-in/learn.py')
  const weights = join(root, 'server/src/infra/reader/texts/weights.ts')
  const python = process.env.ENGINE_PYTHON ?? 'python3'
  process.exitCode = spawnSync(python, [script, table, weights], { stdio: 'inherit' }).status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function noteAll(what: What, count: number): Promise<void> {
  for (let seed = 1; seed <= count; seed += 1) {
    if (seed % BATCH === 1) {
      rmSync(pictures, { recursive: true, force: true })
      draw(pictures, what, seed, Math.min(BATCH, count - seed + 1))
    }
    await note(what, seed)
  }
}

async function note(what: What, seed: number): Promise<void> {
  const { film, texts: written } = await openDrawn(pictures, `${what}-${seed}`)
  for (const candidate of candidatesOf(frameOf(film, 0))) {
    const isText = textness(candidate, written)
    if (isText !== null) appendFileSync(table, `${seed} ${isText ? 1 : 0} ${candidate.features.join(' ')}\n`)
  }
}

/** Mostly within texts, and a good part of one; null = neither text nor clear of it, so nothing is learned of it. */
function textness(candidate: Candidate, written: readonly Text[]): boolean | null {
  let inside = 0
  let covered = 0
  for (const text of written) {
    const around = { x: text.x - MARGIN, y: text.y - MARGIN, w: text.w + 2 * MARGIN, h: text.h + 2 * MARGIN }
    const part = overlap(candidate, around) / (candidate.w * candidate.h)
    inside += part
    if (part > 0.5) covered = Math.max(covered, overlap(candidate, text) / (text.w * text.h))
  }
  if (inside >= 0.6 && covered >= 0.35) return true
  return inside < 0.2 ? false : null
}

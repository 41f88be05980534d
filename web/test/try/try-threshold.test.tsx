/** *Try it* and the downloaded program decide by the threshold that training chose, and so say the same. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ExportedFacts, exportedFactsSchema } from '@neuroloom/contract/exported'
import { screen } from '@testing-library/react'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { AnswerView } from '../../src/features/try/answer-view.tsx'
import type { Answer } from '../../src/features/try/network.ts'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'

const python = process.env.ENGINE_PYTHON ?? '/usr/bin/python3'

type Case = {
  task: 'classification' | 'multilabel' | 'detection'
  thresholds: number[] | null
  /** Probabilities of classes; of boxes how sure each is. */
  sure: number[]
  said: string
}
/** With a threshold of its own each is decided otherwise than by 0.5. */
const cases: Case[] = [
  { task: 'classification', thresholds: null, sure: [0.7, 0.3], said: 'sound' },
  { task: 'classification', thresholds: [0.8, 0.2], sure: [0.7, 0.3], said: 'ill' },
  { task: 'classification', thresholds: [0.3, 0.7], sure: [0.4, 0.6], said: 'sound' },
  { task: 'multilabel', thresholds: null, sure: [0.4, 0.6, 0.1], said: 'ill' },
  { task: 'multilabel', thresholds: [0.3, 0.7, 0.05], sure: [0.4, 0.6, 0.1], said: 'sound, rare' },
  { task: 'multilabel', thresholds: [0.6, 0.7, 0.2], sure: [0.55, 0.6, 0.1], said: 'none' },
  { task: 'detection', thresholds: null, sure: [0.9, 0.45, 0.2], said: '1 found' },
  { task: 'detection', thresholds: [0.25, 0.25], sure: [0.9, 0.45, 0.2], said: '2 found' },
  { task: 'detection', thresholds: [0.95, 0.95], sure: [0.9, 0.45, 0.2], said: '0 found' },
]
const classesOf = ({ task }: Case): string[] =>
  task === 'multilabel' ? ['sound', 'ill', 'rare'] : ['sound', 'ill']

const factsOf = (one: Case): ExportedFacts =>
  exportedFactsSchema.parse({
    ...{ task: one.task, classes: classesOf(one), channels: 1, imageSize: [32, 32] },
    normalisation: { kind: 'image' },
    validation: { threshold: one.task === 'detection' ? (one.thresholds?.[0] ?? null) : null },
    decision: one.thresholds && { thresholds: one.thresholds, cases: null },
    ...{ input: { shape: ['batch', 1, 32, 32], sizeFree: false, sizeMultiple: [1, 1] }, outputs: [] },
  })

const script = `
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
import pictures
said = []
for facts, sure in json.load(sys.stdin):
    if facts['task'] == 'detection':
        found = [{'class': 'ill', 'score': one} for one in sure]
        save = pictures.save_boxes
    else:
        found, save = dict(zip(facts['classes'], sure, strict=True)), pictures.save_classes
    said.append(save(found, facts, Path('a.png'), Path(sys.argv[1])))
print(json.dumps(said))
`

let folder: string
/** What the program prints, case by case. */
let printed: string[]
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'threshold-'))
  const program = join(import.meta.dirname, '../../../contract/wire/program')
  const input = JSON.stringify(cases.map((one) => [factsOf(one), one.sure]))
  const { status, stderr, stdout } = spawnSync(python, ['-c', script, folder, program], {
    input,
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
  // Written a line ago.
  printed = JSON.parse(stdout)
})
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(() => signIn())

const answerOf = ({ task, sure }: Case): Answer => {
  if (task === 'detection') {
    const boxes = sure.map((score, x0) => ({ class: 1, score, x0, y0: 1, x1: 9, y1: 9 }))
    return { kind: 'boxes', boxes }
  }
  return { kind: task === 'multilabel' ? 'labels' : 'classes', probabilities: sure }
}

it.each(cases.map((one, index) => ({ ...one, index })))(
  '$task with $thresholds says “$said” of $sure, in the page and in the program',
  async ({ index, ...one }) => {
    const shown = { width: 32, height: 32, rgba: new Uint8ClampedArray(4 * 32 * 32) }
    const facts = factsOf(one)
    const state = {
      ...{ facts, loaded: 1, name: 'a.png', shown, isBusy: false, part: null },
      ...{ answer: answerOf(one), milliseconds: 1, failure: null },
    }
    renderPart(
      <AnswerView state={state} facts={facts} shown={shown} className={(name) => name} onTurn={() => {}} />,
    )
    const headline = one.said === 'none' ? 'No finding named' : one.said
    expect((await screen.findAllByText(headline)).some(({ tagName }) => tagName === 'P')).toBe(true)
    // Behind a class stands how sure the network is, before the number of boxes their file.
    const told = printed[index] ?? ''
    const isBoxes = one.task === 'detection'
    expect(isBoxes ? told.slice(told.lastIndexOf('(') + 1, -1) : told.replace(/ \([\d.]+%\)$/, '')).toBe(
      one.said,
    )
  },
)

/**
 * The part of a generated program that leads from a file to the answer: the Python files in `wire/program`, of which
 * only what the network's task needs comes along. Pure: the files' texts are given.
 */
import type { Plan } from '../resolve/plan.ts'

/** A class, function or constant of a Python file, and what its code speaks of. */
interface Part {
  name: string
  lines: readonly string[]
  words: ReadonlySet<string>
  /** Two lines apart from its neighbours. */
  isWide: boolean
}
export type ProgramParts = readonly Part[]

/** How an answer is found, saved, and made of the heads' tensors: functions of `wire/program`. */
interface Way {
  find: string
  save: string
  answer: string
  /** An example's name. */
  file: string
  /** Besides PyTorch, as the program's first line says it. */
  needs: string
}

const ofPictures = { file: 'picture.png', needs: ', numpy and Pillow' }

const waysOfPictures: Readonly<Record<string, Way>> = {
  classification: { find: 'name_classes', save: 'save_classes', answer: 'probabilities', ...ofPictures },
  segmentation: { find: 'outline_areas', save: 'save_mask', answer: 'class_maps', ...ofPictures },
  detection: { find: 'find_boxes', save: 'save_boxes', answer: 'boxes_and_scores', ...ofPictures },
  'super-resolution': { find: 'improve', save: 'save_picture', answer: 'residual', ...ofPictures },
  denoising: { find: 'improve', save: 'save_picture', answer: 'residual', ...ofPictures },
}
const wayOfVolumes: Way = {
  find: 'mark_volume',
  save: 'save_volume',
  answer: 'class_maps',
  file: 'scan.nii.gz',
  needs: ' and numpy',
}

/** Null of networks that are no task's, or that see something else than one picture or volume. */
export function wayOf({ inputs, heads }: Pick<Plan, 'inputs' | 'heads'>): Way | null {
  const [image, ...others] = Object.values(inputs)
  const { task = '' } = heads.main ?? Object.values(heads)[0] ?? {}
  if (image?.k !== 'map' || others.length > 0) return null
  if (image.s.length === 3) return task === 'segmentation' ? wayOfVolumes : null
  return image.s.length === 2 ? (waysOfPictures[task] ?? null) : null
}

/** Splits Python files, whose definitions begin at the first column, or are set there. */
export function programParts(files: readonly string[]): ProgramParts {
  return files.flatMap((text) => blocksOf(text).flatMap(partOf))
}

/** Lines of the program, in the order in which Python must read them; `further` ones before it begins. */
export function programLines(
  { find, save, answer }: Way,
  parts: ProgramParts,
  further: readonly string[],
): string[] {
  const wanted = new Set(['main', find, save, answer])
  const byName = new Map(parts.map((part) => [part.name, part]))
  // A set goes on to those that are added on the way.
  for (const name of wanted)
    for (const word of byName.get(name)?.words ?? []) if (byName.has(word)) wanted.add(word)
  const chosen = parts.filter(({ name, lines }) => wanted.has(name) && lines.length > 0)
  const spaced = chosen.flatMap(({ lines, isWide }, k) => {
    const before = chosen[k - 1]
    return before !== undefined && (isWide || before.isWide) ? ['', '', ...lines] : lines
  })
  return [
    ...spaced,
    '',
    '',
    `FIND, SAVE, ANSWER = ${find}, ${save}, ${answer}`,
    ...further,
    '',
    'if __name__ == "__main__" and len(sys.argv) > 2:',
    '    sys.exit(main(sys.argv[1:]))',
    '',
  ]
}

/** What of the program's surroundings a text speaks of, in the order that Python's own formatters want. */
export function importsOf(lines: readonly string[]): string[] {
  const words = wordsOf(lines)
  return imports
    .map((group) => group.filter(({ word }) => words.has(word)).map(({ line }) => line))
    .filter((group) => group.length > 0)
    .flatMap((group) => [...group, ''])
}

const imports = [
  [
    ...['csv', 'gzip', 'json', 're', 'struct', 'sys', 'tempfile', 'zlib'].map((word) => ({
      word,
      line: `import ${word}`,
    })),
    { word: 'Callable', line: 'from collections.abc import Callable' },
    { word: 'Iterator', line: 'from collections.abc import Iterator' },
    { word: 'product', line: 'from itertools import product' },
    { word: 'Path', line: 'from pathlib import Path' },
    { word: 'Any', line: 'from typing import Any' },
    { word: 'NamedTuple', line: 'from typing import NamedTuple' },
  ],
  [
    { word: 'np', line: 'import numpy as np' },
    { word: 'torch', line: 'import torch' },
    { word: 'F', line: 'import torch.nn.functional as F' },
    { word: 'Image', line: 'from PIL import Image' },
    { word: 'nn', line: 'from torch import nn' },
    { word: 'Tensor', line: 'from torch import Tensor' },
  ],
]

/** Lines that belong together: comments, decorators and the definition below them. */
function blocksOf(text: string): string[][] {
  const body = text.slice(text.indexOf('from __future__')).split('\n')
  const blocks: string[][] = []
  let isHead = false
  for (const line of body) {
    const begins = /^[#@A-Za-z_]/.test(line)
    if (begins && !isHead) blocks.push([])
    isHead = begins ? /^[#@]/.test(line) : false
    blocks.at(-1)?.push(line)
  }
  return blocks.filter((lines) => lines.every((line) => !/^(from|import) /.test(line)))
}

/** Each name that a block defines; several where a line sets several. */
function partOf(block: readonly string[]): Part[] {
  const lines = [...block]
  while (lines.at(-1) === '') lines.pop()
  const head = lines.find((line) => /^[A-Za-z_]/.test(line)) ?? ''
  const names = /^(?:def|class) (\w+)/.exec(head)?.[1] ?? /^([\w, ]+?)(?:: [^=]+)? = /.exec(head)?.[1] ?? ''
  const isWide = /^(def|class|@)/.test(head)
  const [first = '', ...aliases] = names.split(', ')
  const words = wordsOf(lines)
  // Who wants one of several names that a line sets gets the line.
  const others = aliases.map((name) => ({ name, lines: [], words: new Set([first]), isWide }))
  return [{ name: first, lines, words, isWide }, ...others]
}

/** Names in code, not those in comments and descriptions. */
function wordsOf(lines: readonly string[]): Set<string> {
  const code = lines
    .join('\n')
    .replace(/"""[\s\S]*?"""/g, '')
    .replace(/^\s*#.*$/gm, '')
    // Only what is put into a text by a name is code.
    .replace(/(f?)"[^"\n]*"/g, (text, isFilled: string) => (isFilled === '' ? '' : text))
  return new Set(code.match(/(?<![.\w])[A-Za-z_]\w*/g) ?? [])
}

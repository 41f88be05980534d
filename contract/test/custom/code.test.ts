import { expect, test } from 'vitest'
import {
  codeDangers,
  codeFindings,
  codeHints,
  codeStateAfter,
  codeStates,
  isCodeFolder,
  isDanger,
} from '../../src/custom/code.ts'

test.each([
  ['classification', true],
  ['segmentation', true],
  ['Super-resolution', true],
  ['Object detection', true],
  ['4d_Flow-MRI', true],
  ['Classification', false],
  ['super-resolution', false],
  ['Object Detection', false],
  ['Object_detection', false],
  ['4D_Flow-MRI', false],
  ['segmentation ', false],
  ['toString', false],
  ['', false],
])('the folder name "%s": %s', (name, isOne) => {
  expect(isCodeFolder(name)).toBe(isOne)
})

test('an upload is reviewed once', () => {
  const table = codeStates.map((state) => [
    state,
    codeStateAfter(state, 'approve'),
    codeStateAfter(state, 'reject'),
  ])
  expect(table).toEqual([
    ['pending_review', 'approved', 'rejected'],
    ['approved', null, null],
    ['rejected', null, null],
  ])
})

test('a finding is a danger or a hint', () => {
  expect(codeFindings.filter(isDanger)).toEqual([...codeDangers])
  expect(codeHints.some(isDanger)).toBe(false)
})

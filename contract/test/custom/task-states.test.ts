import { describe, expect, test } from 'vitest'
import {
  customActions,
  customStateAfter,
  customStates,
  customStatesBefore,
} from '../../src/custom/task-states.ts'

/** Rows: states; columns: actions, in the order of `customActions`. */
const table = `
                pay             payReviewed  approve   quote   reject    resubmit        resubmitPriced  report      complete   refund     remove
unpaid          pending_review  approved     -         -       -         -               -               -           -          -          removed
pending_review  -               -            approved  unpaid  rejected  -               -               -           -          rejected   -
approved        -               -            -         -       -         -               -               processing  completed  rejected   -
rejected        -               -            -         -       -         pending_review  unpaid          -           -          -          removed
processing      -               -            -         -       -         -               -               processing  completed  rejected   -
completed       -               -            -         -       -         -               -               -           -          completed  -`

describe('the states of a custom task', () => {
  const [head = [], ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))

  test('the table has every state and every action', () => {
    expect(head).toEqual(customActions)
    expect(rows.map(([state]) => state)).toEqual(customStates)
  })

  test.each(customStates)('%s leads to exactly the states of its row', (state) => {
    const [, ...cells] = rows.find(([name]) => name === state) ?? []
    const reached = customActions.map((action) => customStateAfter(state, action) ?? '-')
    expect(reached).toEqual(cells)
  })

  test('an action knows the states before it', () => {
    expect(customStatesBefore('report')).toEqual(['approved', 'processing'])
    expect(customStatesBefore('remove')).toEqual(['unpaid', 'rejected'])
  })
})

import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { PictureBar } from '../../src/features/flow/viewer/picture-bar.tsx'
import { makeHead } from '../flow/make-study.ts'
import { makeSharpened } from '../flow/make-training.ts'
import { renderPart } from '../render.tsx'

function show(beforeIs: 'uncorrected' | 'interpolated') {
  const change = vi.fn()
  const open = vi.fn(async () => true)
  const sharpened = beforeIs === 'interpolated' ? { sharpened: makeSharpened() } : {}
  renderPart(
    <PictureBar
      head={makeHead(sharpened)}
      {...{ plane: 'z', angles: { turn: 0, tilt: 0 }, isBefore: false, isWhole: true, isSpace: false }}
      {...{ hasBefore: true, beforeIs, before: { state: 'unopened', open }, change, imageClarity: 150 }}
      {...{ setPlane: () => {}, exporting: { current: null }, onKeepFigure: undefined }}
    />,
  )
  return { change, open, person: userEvent.setup() }
}

it('shows a study that a network made finer beside interpolation alone, marked', async () => {
  const { change, open, person } = show('interpolated')
  expect(await screen.findByText('Learned ×2')).toBeVisible()
  expect(screen.getByRole('radio', { name: 'Network' })).toBeChecked()
  expect(screen.queryByText('Before')).toBeNull()
  await person.click(screen.getByText('Interpolated'))
  expect(open).toHaveBeenCalledOnce()
  expect(change).toHaveBeenCalledWith({ isBefore: true })
})

it('shows what was measured before and after its corrections, without a mark', async () => {
  show('uncorrected')
  expect(await screen.findByRole('radio', { name: 'After' })).toBeChecked()
  expect(screen.queryByText('Interpolated')).toBeNull()
  expect(screen.queryByText(/Learned/)).toBeNull()
})

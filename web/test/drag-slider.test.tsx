import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DragSlider } from '../src/features/accounts/entrance/drag-slider.tsx'
import { solve } from '../src/features/accounts/entrance/solve.ts'
import { areasIn, callingCodes } from '../src/features/accounts/fields/calling-codes.ts'
import { makeChallenge } from './make.ts'
import { renderPart } from './render.tsx'
import { Refusal, serve } from './serve.ts'

describe('the drag slider', () => {
  it('is dragged by arrow keys, and back again', async () => {
    const { slider, proofs } = await show()
    const person = userEvent.setup()
    slider().focus()
    await person.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}{ArrowLeft}')
    expect(slider()).toHaveAttribute('aria-valuenow', '20')
    await person.keyboard('{ArrowRight>8/}')
    await waitFor(() => expect(slider()).toHaveAttribute('aria-valuetext', 'Verified'))
    expect(proofs).toHaveLength(1)
    expect(JSON.parse(proofs[0] ?? '')).toMatchObject({ number: 7 })
  })

  it('springs back when it is let go on the way, and passes at the right end', async () => {
    const { slider, proofs } = await show()
    fireEvent.pointerDown(slider(), { pointerId: 1, button: 0, clientX: 0 })
    fireEvent.pointerMove(slider(), { pointerId: 1, clientX: 200 })
    expect(Number(slider().getAttribute('aria-valuenow'))).toBeGreaterThan(0)
    fireEvent.pointerUp(slider(), { pointerId: 1 })
    expect(slider()).toHaveAttribute('aria-valuenow', '0')
    fireEvent.pointerDown(slider(), { pointerId: 1, button: 0, clientX: 0 })
    fireEvent.pointerMove(slider(), { pointerId: 1, clientX: 600 })
    await waitFor(() => expect(slider()).toHaveAttribute('aria-valuetext', 'Verified'))
    expect(proofs).toHaveLength(1)
  })

  describe('without a puzzle', () => {
    beforeEach(() => {
      vi.spyOn(console, 'error').mockImplementation(() => undefined)
    })
    afterEach(() => {
      vi.restoreAllMocks()
    })

    it('asks to be dragged again, and then fetches a fresh one', async () => {
      let asked = 0
      const { slider, proofs } = await show(() => {
        asked += 1
        if (asked === 1) throw new Refusal('busy')
        return makeChallenge()
      })
      const person = userEvent.setup()
      await waitFor(() => expect(asked).toBe(1))
      slider().focus()
      await person.keyboard('{End}')
      await waitFor(() => expect(slider().getAttribute('aria-valuetext')).toMatch(/Drag again|Verified/))
      if (proofs.length === 0) await person.keyboard('{End}')
      await waitFor(() => expect(slider()).toHaveAttribute('aria-valuetext', 'Verified'))
      expect(asked).toBe(2)
    })
  })
})

describe('the puzzle', () => {
  it.each([0, 1, 50])('is solved when it hides %i', (number) => {
    expect(solve(makeChallenge(number))).toBe(number)
  })

  it('without a solution in its range is an error', () => {
    expect(() => solve({ ...makeChallenge(30), maxNumber: 20 })).toThrow('no solution')
  })
})

describe('the list of area codes', () => {
  it('has every region with its code, named in each language', () => {
    expect(callingCodes.size).toBe(250)
    expect(
      [...callingCodes].filter(([region, code]) => !/^[A-Z]{2}$/.test(region) || !/^\d{1,4}$/.test(code)),
    ).toEqual([])
    const nameOf = (tag: string, region: string) => areasIn(tag).find((area) => area.region === region)?.name
    expect(nameOf('en-GB', 'DE')).toBe('Germany')
    expect(nameOf('zh-CN', 'DE')).toBe('德国')
    expect(nameOf('ru-RU', 'DE')).toBe('Германия')
  })
})

type Give = NonNullable<Parameters<typeof serve>[0]['user/challenge']>

async function show(give: Give = () => makeChallenge()) {
  const proofs: string[] = []
  serve({ 'user/challenge': give })
  renderPart(
    <DragSlider
      purpose="login"
      // A refused one is told by the slider itself.
      onProof={(proof) =>
        void proof.then(
          (given) => proofs.push(given),
          () => undefined,
        )
      }
    />,
  )
  await screen.findByRole('slider')
  return { proofs, slider: () => screen.getByRole('slider', { name: 'Drag the slider to the right' }) }
}

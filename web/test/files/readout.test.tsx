import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Readout, type UnderCross } from '../../src/features/files/viewer/readout.tsx'
import { renderPart } from '../render.tsx'

const under: UnderCross = { voxel: [16, 26, 17], millimetres: [17.5, -26.46, 18, 1], value: 164 }
const facts = { size: [34, 50, 36, 1], channels: 1, orientation: 'RAS', unit: 'HU' } as const

const read = (more: Partial<UnderCross> = {}, other: object = {}) => {
  renderPart(<Readout under={{ ...under, ...more }} facts={{ ...facts, size: [...facts.size], ...other }} />)
  return screen.findByRole('status')
}

it('says in words which voxel lies under the cross, where in the patient, and its value', async () => {
  expect(await read()).toHaveTextContent('Voxel 17, 27, 18 · R 17.5 P 26.5 S 18 mm · Value 164 HU')
})

it('says of a single slice which pixel it is', async () => {
  expect(await read({}, { size: [34, 50, 1, 1] })).toHaveTextContent(/^Pixel 17, 27 · /)
})

it('says nothing of a patient whose position is not known, and no value of colours', async () => {
  expect(await read({}, { orientation: null, channels: 3 })).toHaveTextContent(/^Voxel 17, 27, 18$/)
})

it('is empty until the image is drawn', async () => {
  expect(await read({ voxel: [], millimetres: [], value: null })).toBeEmptyDOMElement()
})

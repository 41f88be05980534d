import type { View } from '@neuroloom/contract/viewing'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Facts } from '../../src/features/files/viewer/facts.tsx'
import { setLanguage } from '../../src/lib/i18n.ts'
import { renderPart } from '../render.tsx'

const view = (patient: View['patient']): View => ({
  id: 'file-1',
  name: 'slice.dcm',
  type: 'dcm',
  sizeBytes: 2048,
  kind: 'volume',
  state: 'ready',
  reason: null,
  url: null,
  facts: null,
  notes: [],
  series: null,
  tags: [],
  patient,
  tagsHidden: true,
})

it.each([
  ['en', 'named', 'The file still names its patient'],
  ['zh', 'named', '文件中仍含患者姓名'],
  ['ru', 'named', 'В файле назван пациент'],
  ['en', 'free', 'De-identified'],
  ['en', 'unknown', 'Whether the file names its patient is not known'],
] as const)('whoever may only look reads in %s that a file is %s', async (language, patient, told) => {
  await setLanguage(language)
  renderPart(<Facts view={view(patient)}>{null}</Facts>)
  expect(await screen.findByText(told)).toBeVisible()
})

it('says nothing of a patient where a file has no place for one', async () => {
  renderPart(<Facts view={view(null)}>{null}</Facts>)
  expect(await screen.findByRole('complementary')).toBeVisible()
  expect(screen.queryByText(/patient’s name|names its patient/)).toBeNull()
})

import type { TextPicture, TextRegion, TextScan } from '@neuroloom/contract/burned-in'
import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { drawn, moved, sized } from '../../src/features/files/burned-in/boxes.ts'
import { proofOf } from '../../src/features/files/burned-in/proof.ts'
import { CloudTexts } from '../../src/pages/cloud/cloud-texts.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'

vi.mock('socket.io-client', async () => import('../runs/runs-live.ts'))

beforeEach(() => signIn())

describe('texts burned into pictures', () => {
  it('cannot be looked for where a program is missing: members are told whom to ask', async () => {
    serve({ 'files/textScans': () => ({ scans: [], next: null, missing: ['tesseract-ocr'] }) })
    renderPart(<CloudTexts />, '/cloudTexts')
    expect(await screen.findByText(/ask your administrator to install Tesseract/)).toBeInTheDocument()
    expect(screen.queryByText(/apt-get/)).toBeNull()
    expect(screen.getByRole('button', { name: 'Choose images' })).toBeDisabled()
  })

  it('and administrators what to install', async () => {
    signIn({ role: 2 })
    serve({
      'files/textScans': () => ({ scans: [], next: null, missing: ['tesseract-ocr', 'tesseract-ocr-rus'] }),
    })
    renderPart(<CloudTexts />, '/cloudTexts')
    expect(await screen.findByText('apt-get install tesseract-ocr tesseract-ocr-rus')).toBeInTheDocument()
  })

  it('are confirmed picture by picture: boxes are added, moved by keys and taken away', async () => {
    const received = serve({
      'files/textPictures': () => ({ scan: makeScan(), pictures: [makePicture()], pages: 1 }),
      'files/confirmTexts': () => makeScan({ confirmed: 1 }),
    })
    const person = userEvent.setup()
    renderPart(<CloudTexts />, '/cloudTexts?id=scan-1')
    expect(await screen.findByText('Look at each image: no program finds every text.')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Black out on copies' })).toBeDisabled()
    await person.click(screen.getByRole('button', { name: /named\.png/ }))
    const dialog = within(await screen.findByRole('dialog', { hidden: true }))
    expect(dialog.getByText('KINAHA')).toBeInTheDocument()
    fireEvent.keyDown(dialog.getByLabelText('Box 1 KINAHA'), { key: 'ArrowRight' })
    fireEvent.keyDown(dialog.getByLabelText('Box 1 KINAHA'), {
      key: 'ArrowDown',
      shiftKey: true,
      ctrlKey: true,
    })
    await person.click(dialog.getByText('Add a box'))
    await person.click(dialog.getByText('Confirm'))
    const sent = received.find(({ path }) => path === 'files/confirmTexts')?.body
    expect(sent).toMatchObject({
      id: 'scan-1',
      position: 0,
      isConfirmed: true,
      regions: [
        { x: 15, y: 10, w: 80, h: 21 },
        { isDrawn: true, first: 0, last: 0 },
      ],
    })
  })

  it('show of each copy what looking again found', async () => {
    const copy = {
      id: 'copy-1',
      name: 'named.png',
      sha256: 'c'.repeat(64),
      sourceSha256: 's'.repeat(64),
      left: 0,
      namesPatient: true,
    }
    const scan = makeScan({ step: 'copy', confirmed: 1, folderId: 'folder-1' })
    serve({ 'files/textPictures': () => ({ scan, pictures: [makePicture({ copy })], pages: 1 }) })
    renderPart(<CloudTexts />, '/cloudTexts?id=scan-1')
    expect(await screen.findByText('Nothing left there')).toBeInTheDocument()
    expect(screen.getByText('1 place blacked out')).toBeInTheDocument()
    expect(screen.getByText(/headers of some DICOM copies still name their patient/)).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'To the copies' })).toHaveAttribute(
      'href',
      '/cloudFile?id=folder-1',
    )
  })
})

describe('boxes', () => {
  const size = { width: 100, height: 50, frames: 3 }
  const box = makeRegion({ x: 10, y: 10, w: 20, h: 10 })

  it.each([
    [
      { x: 5, y: -3 },
      { x: 15, y: 7 },
    ],
    [
      { x: 500, y: 500 },
      { x: 80, y: 40 },
    ],
    [
      { x: -500, y: -500 },
      { x: 0, y: 0 },
    ],
  ])('moved by %o stay within the picture', (by, place) => {
    expect(moved(box, by, size)).toMatchObject({ ...place, w: 20, h: 10 })
  })

  it.each([
    [
      { x: 5, y: 5 },
      { w: 25, h: 15 },
    ],
    [
      { x: 500, y: 500 },
      { w: 90, h: 40 },
    ],
    [
      { x: -500, y: -500 },
      { w: 6, h: 6 },
    ],
  ])('sized by %o stay within the picture, and large enough to be held', (by, side) => {
    expect(sized(box, by, size)).toMatchObject({ x: 10, y: 10, ...side })
  })

  it('are drawn from any corner, for all frames', () => {
    const expected = { x: 0, y: 5, w: 40, h: 25, first: 0, last: 2, isDrawn: true }
    expect(drawn({ x: 40, y: 30 }, { x: -9, y: 5 }, size)).toMatchObject(expected)
  })
})

describe('the proof sheet', () => {
  it('holds nothing that was read, and no formula', () => {
    const text = proofOf([makePicture({ sourceName: '=cmd|"x".png' })])
    expect(text).not.toContain('KINAHA')
    expect(text).toContain(`"'=cmd|""x"".png"`)
    expect(text).toContain('10 10 80 20 0-0')
  })
})

function makeRegion(changes: Partial<TextRegion> = {}): TextRegion {
  return {
    x: 10,
    y: 10,
    w: 80,
    h: 20,
    first: 0,
    last: 0,
    text: 'KINAHA',
    sureness: 97,
    isDrawn: false,
    ...changes,
  }
}

function makePicture(changes: Partial<TextPicture> = {}): TextPicture {
  return {
    position: 0,
    sourceId: 'file-1',
    sourceName: 'named.png',
    state: 'done',
    reason: null,
    size: { width: 400, height: 300, frames: 1 },
    regions: [makeRegion()],
    isConfirmed: false,
    shown: '/AI/api/files/textFrame?id=scan-1',
    copy: null,
    ...changes,
  }
}

function makeScan(changes: Partial<TextScan> = {}): TextScan {
  return {
    id: 'scan-1',
    step: 'seek',
    state: 'done',
    through: 1,
    total: 1,
    confirmed: 0,
    failedPictures: 0,
    failure: null,
    name: 'named.png',
    folderId: null,
    createdAt: '2026-11-20T08:00:00.000Z',
    endedAt: null,
    ...changes,
  }
}

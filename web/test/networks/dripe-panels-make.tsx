/** Panels of the network editor over a real store with the product's own library. */
import type { NetworkFile } from '@neuroloom/contract/networks'
import type { ReactNode } from 'react'
import { makeScreen, ScreenContext, type ScreenStore } from '../../src/features/networks/editor/screen.ts'
import { type EditorStore, makeEditorStore } from '../../src/features/networks/editor/store.ts'
import { EditorContext } from '../../src/features/networks/editor/use-editor.ts'
import { loadLibrary } from '../../src/features/networks/library.ts'
import { renderPart } from '../render.tsx'

export const smallNetwork = `dripe: 1
name: small
task: classification
params:
  classes: {type: int, default: 2, min: 2, max: 1000, role: classes}
  width: {type: int, default: 16, min: 4, max: 256}
inputs: {image: {kind: image, channels: 3, size: [64, 64]}}
nodes:
  stem: {op: conv, out: =width}
  act: relu
  pool: {op: maxpool}
  more: {op: conv, out: 32}
  gap: globalavg
  logits: {op: linear, out: =classes}
heads: {main: {task: classification, from: logits}}
`

/** Two pictures of different sizes are joined. */
export const brokenNetwork = smallNetwork.replace(
  '  gap: globalavg',
  '  join: {op: concat, in: [act, more]}\n  gap: globalavg',
)

export function makeFile(changes: Partial<NetworkFile> = {}): NetworkFile {
  return {
    id: 'network-1',
    name: 'My network',
    task: 'classification',
    revision: 1,
    version: 0,
    parameters: 1000,
    macs: 1_000_000,
    mistakes: 0,
    createdAt: '2026-07-01T08:00:00.000Z',
    updatedAt: '2026-07-02T08:00:00.000Z',
    text: smallNetwork,
    layout: { v: 1, pos: {}, open: [] },
    mayDownloadPicture: true,
    ...changes,
  }
}

export async function makeEditor(changes: Partial<NetworkFile> = {}): Promise<EditorStore> {
  return makeEditorStore(makeFile(changes), await loadLibrary())
}

export function renderPanel(
  part: ReactNode,
  store: EditorStore,
  screen: ScreenStore = makeScreen(),
): ReturnType<typeof renderPart> {
  return renderPart(
    <ScreenContext value={screen}>
      <EditorContext value={store}>{part}</EditorContext>
    </ScreenContext>,
  )
}

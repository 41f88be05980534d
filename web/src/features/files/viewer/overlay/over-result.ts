/** What lies over an image of a run: the truth, the prediction, and where they disagree. */
import type { Overlay } from '@neuroloom/contract/reading/overlays'
import type { LookedOver } from '@neuroloom/contract/reading/run-looks'
import type { TFunction } from 'i18next'
import { call } from '../../../../lib/api.ts'
import { differenceOf, differences } from './difference.ts'
import { bytesOf, type Laid, type OverlaysFrom } from './overlays-from.ts'

type Result = {
  id: string
  itemId: string
  over: readonly LookedOver[]
  areMasks: boolean
  t: TFunction<'viewer'>
}

export function overResult({ id, itemId, over, areMasks, t }: Result): OverlaysFrom {
  const lay = async (what: LookedOver, signal: AbortSignal): Promise<Laid> => {
    const { overlay, nothing } = await call(
      'runs/lookOver',
      { id, itemId, over: what },
      { quiet: true, signal },
    )
    return {
      overlay: { ...overlay, name: t(`result.${what}`) },
      bytes: await bytesOf(overlay, signal),
      nothing,
    }
  }
  return {
    key: ['run', id, itemId],
    liveId: null,
    candidates: async () =>
      [...over, ...(areMasks && over.length > 1 ? (['difference'] as const) : [])].map((what) => ({
        ...{ id: what, name: t(`result.${what}`), kind: 'mask' as const },
        ...{ folder: '', reader: null, isLikely: false },
      })),
    lay: async (what, signal) => {
      const one = over.find((known) => known === what)
      if (one) return lay(one, signal)
      const [truth, prediction] = await Promise.all([lay('truth', signal), lay('prediction', signal)])
      return apart(truth, prediction, t)
    },
  }
}

function apart(truth: Laid, prediction: Laid, t: TFunction<'viewer'>): Laid {
  const waits = [truth, prediction].some(({ overlay }) => overlay.state === 'preparing')
  const reason = truth.overlay.reason ?? prediction.overlay.reason
  const bare: Overlay = {
    ...{ id: 'difference', name: t('result.difference'), state: waits ? 'preparing' : 'ready', reason },
    ...{ url: null, marks: null, labels: [], notes: [] },
  }
  const [one, other] = [truth, prediction].map(({ bytes, overlay, nothing }) =>
    bytes ? { bytes, labels: overlay.labels, nothing } : null,
  )
  const found = one && other && differenceOf(one, other)
  if (!found) return { overlay: bare, bytes: null, nothing: [] }
  const labels = found.labels.map((label, index) => ({
    ...label,
    name: t(`result.${differences[index] ?? 'other'}`),
  }))
  // It was made here: the address says only that there is something to see.
  return { overlay: { ...bare, labels, url: truth.overlay.url }, bytes: found.bytes, nothing: [] }
}

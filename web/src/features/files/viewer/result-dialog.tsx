import type { Answer } from '@neuroloom/contract/calls'
import type { OverlayView } from '@neuroloom/contract/image-view'
import { client, files as limits } from '@neuroloom/contract/limits'
import type { LookedOver } from '@neuroloom/contract/reading/run-looks'
import type { ImageFacts } from '@neuroloom/contract/viewing'
import { Modal, Segmented } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useCall } from '../../../lib/query.ts'
import { Beside } from './beside/beside.tsx'
import { Shown } from './file-view.tsx'
import { overResult } from './overlay/over-result.ts'
import { usualOpacity } from './overlay/use-overlays.ts'
import { viewAtSlice } from './slice-start.ts'
import { type ImageView, plainView, viewOfText } from './view-address.ts'
import styles from './viewer.module.css'

type ResultProps = { runId: string; itemId: string; onClose: () => void }

/** An image of a test or a prediction with all that the viewer can: what is true and what the network says lie over it. */
export function ResultDialog({ runId, itemId, onClose }: ResultProps) {
  const { t } = useTranslation('viewer')
  const [params, setParams] = useSearchParams()
  const text = params.get('view')
  const slice = params.get('slice')
  const query = useCall(
    'runs/look',
    { id: runId, itemId },
    {
      quiet: true,
      staleTime: limits.linkMs / 2,
      refetchInterval: ({ state }) => (state.data?.view.state === 'preparing' ? client.pollMs : false),
    },
  )
  const looked = query.data ?? none
  const { over, areMasks } = looked
  const isBeside = params.has('beside') && over.length > 0
  const facts = query.data?.view.facts ?? null
  const first = useMemo(() => firstView(slice, facts), [slice, facts])
  const from = useMemo(
    () => ({
      isSeries: false,
      over: overResult({ id: runId, itemId, over, areMasks, t }),
      addressOf: (view: string) => `${window.location.origin}${resultAddress(runId, itemId)}&view=${view}`,
    }),
    [runId, itemId, over, areMasks, t],
  )
  const place = useMemo(
    () => ({ ...from, start: viewOfText(text) ?? { ...first, overlays: firstOf(over) } }),
    [from, text, first, over],
  )
  const asked = { ...query, data: query.data?.view }
  return (
    <Modal
      open
      centered
      width={1200}
      className={styles.dialog ?? ''}
      title={<span className={styles.title}>{query.data?.view.name ?? ''}</span>}
      onCancel={onClose}
      footer={null}
    >
      {over.length > 0 && (
        <Segmented<boolean>
          className={styles.switch ?? ''}
          aria-label={t('beside.switch')}
          value={isBeside}
          onChange={(next) =>
            setParams(
              {
                ...{ id: runId, item: itemId },
                ...(slice === null ? {} : { slice }),
                ...(next ? { beside: '1' } : {}),
              },
              { replace: true },
            )
          }
          options={[
            { value: false, label: t('beside.one') },
            { value: true, label: t('beside.title') },
          ]}
        />
      )}
      {isBeside ? (
        <Beside
          panes={panesOf(looked).map((what) => ({
            key: what,
            image: <Pane what={what} query={asked} from={from} first={first} />,
          }))}
        />
      ) : (
        <Shown query={asked} place={place} />
      )}
    </Modal>
  )
}

const none: Pick<Answer<'runs/look'>, 'over' | 'areMasks'> = { over: [], areMasks: false }
type Seen = LookedOver | 'image' | 'difference'

const panesOf = ({ over, areMasks }: typeof none): Seen[] => [
  'image',
  ...over,
  ...(areMasks && over.length > 1 ? (['difference'] as const) : []),
]

type PaneProps = {
  what: Seen
  query: Parameters<typeof Shown>[0]['query']
  from: Omit<Parameters<typeof Shown>[0]['place'], 'start'>
  first: ImageView
}

/** One of several: the image with one thing over it, or with nothing. */
function Pane({ what, query, from, first }: PaneProps) {
  const { t } = useTranslation('viewer')
  const place = useMemo(() => {
    const isFilled = what !== 'image'
    const overlays = isFilled ? [{ id: what, isFilled, opacity: usualOpacity(true), hidden: [] }] : []
    const title = what === 'image' ? t('beside.original') : t(`result.${what}`)
    return { ...from, title, start: { ...first, overlays } }
  }, [what, from, first, t])
  return <Shown query={query} place={place} />
}

/** A volume begins at the slice that the address names, in the plane of its slices. */
function firstView(slice: string | null, facts: ImageFacts | null): ImageView {
  const number = Number(slice ?? '')
  if (facts?.layout !== 'volume' || !Number.isInteger(number) || number < 1) return plainView
  return { ...plainView, ...viewAtSlice(number, facts) }
}

/** Of an image of a run, for whoever may see the run. */
export const resultAddress = (runId: string, itemId: string): string =>
  `/run?${new URLSearchParams({ id: runId, item: itemId })}`

/** The truth as an outline, and below it what the network says. */
const firstOf = (over: readonly LookedOver[]): OverlayView[] =>
  over.map((id) => {
    const isFilled = id === 'prediction' && over.length > 1
    return { id, isFilled, opacity: usualOpacity(isFilled), hidden: [] }
  })

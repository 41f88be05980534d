import type { Answer } from '@neuroloom/contract/calls'
import type { OverlayView } from '@neuroloom/contract/image-view'
import { client, files as limits } from '@neuroloom/contract/limits'
import type { LookedOver } from '@neuroloom/contract/reading/run-looks'
import { Modal, Segmented } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useCall } from '../../../lib/query.ts'
import { Beside } from './beside/beside.tsx'
import { Shown } from './file-view.tsx'
import { overResult } from './overlay/over-result.ts'
import { usualOpacity } from './overlay/use-overlays.ts'
import { plainView, viewOfText } from './view-address.ts'
import styles from './viewer.module.css'

type ResultProps = { runId: string; itemId: string; onClose: () => void }

/** An image of a test or a prediction with all that the viewer can: what is true and what the network says lie over it. */
export function ResultDialog({ runId, itemId, onClose }: ResultProps) {
  const { t } = useTranslation('viewer')
  const [params, setParams] = useSearchParams()
  const text = params.get('view')
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
  const from = useMemo(
    () => ({
      isSeries: false,
      over: overResult({ id: runId, itemId, over, areMasks, t }),
      addressOf: (view: string) => `${window.location.origin}${resultAddress(runId, itemId)}&view=${view}`,
    }),
    [runId, itemId, over, areMasks, t],
  )
  const place = useMemo(
    () => ({ ...from, start: viewOfText(text) ?? { ...plainView, overlays: firstOf(over) } }),
    [from, text, over],
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
            setParams({ id: runId, item: itemId, ...(next ? { beside: '1' } : {}) }, { replace: true })
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
            image: <Pane what={what} query={asked} from={from} />,
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
}

/** One of several: the image with one thing over it, or with nothing. */
function Pane({ what, query, from }: PaneProps) {
  const { t } = useTranslation('viewer')
  const place = useMemo(() => {
    const isFilled = what !== 'image'
    const overlays = isFilled ? [{ id: what, isFilled, opacity: usualOpacity(true), hidden: [] }] : []
    const title = what === 'image' ? t('beside.original') : t(`result.${what}`)
    return { ...from, title, start: { ...plainView, overlays } }
  }, [what, from, t])
  return <Shown query={query} place={place} />
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

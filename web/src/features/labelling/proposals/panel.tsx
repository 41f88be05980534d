import { CheckOutlined, CloseOutlined } from '@ant-design/icons'
import type { Answer } from '@neuroloom/contract/calls'
import type { Helper, ProposedObject } from '@neuroloom/contract/labelling/proposals'
import { labelling as limits } from '@neuroloom/contract/limits'
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { call } from '../../../lib/api.ts'
import { formatPercent } from '../../../lib/format.ts'
import { useCall } from '../../../lib/query.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import editor from '../editor/editor.module.css'
import { useBench } from '../editor/use-bench.ts'
import type { OpenedReading } from '../journal/opening.ts'
import styles from './proposals.module.css'
import { type Proposals, useProposals } from './use-proposals.ts'

/** What the page of the next image is told of how it was chosen. */
type CameBy = Pick<Answer<'labelling/nextItem'>, 'why' | 'among'>

const ChooseHelper = lazyPart(async () => (await import('./choose-helper.tsx')).ChooseHelper, { over: true })
const RoundsDialog = lazyPart(async () => (await import('./rounds-dialog.tsx')).RoundsDialog, { over: true })

/** A network of one's own that proposes: what it proposed here, and where to go on. */
export function HelperPanel({ opened }: { opened: OpenedReading }) {
  const { t } = useTranslation('proposals')
  const { set } = opened
  const query = useCall('labelling/helpers', { id: set.id }, { quiet: true })
  const [shown, setShown] = useState<'choice' | 'rounds' | null>(null)
  const chosen = query.data?.chosen ?? null
  return (
    <section className={editor.part} aria-label={t('title')}>
      <h2>{t('title')}</h2>
      {chosen === null ? (
        <>
          <p className={styles.soft}>{t('intro')}</p>
          <Button onClick={() => setShown('choice')}>{t('choose')}</Button>
        </>
      ) : (
        <>
          <p className={styles.soft}>{t('chosen', chosen.network)}</p>
          <Working opened={opened} helper={chosen} />
          <div className={styles.row}>
            <Button size="small" onClick={() => setShown('rounds')}>
              {t('rounds.open')}
            </Button>
            <Button size="small" type="text" onClick={() => setShown('choice')}>
              {t('change')}
            </Button>
          </div>
        </>
      )}
      <Suspense fallback={null}>
        {shown === 'choice' && query.data && (
          <ChooseHelper
            set={set}
            networks={query.data.networks}
            chosen={chosen}
            onClose={() => setShown(null)}
            onChosen={() => void query.refetch()}
          />
        )}
        {shown === 'rounds' && chosen && <RoundsDialog set={set} onClose={() => setShown(null)} />}
      </Suspense>
    </section>
  )
}

function Working({ opened, helper }: { opened: OpenedReading; helper: Helper }) {
  const { t } = useTranslation('proposals')
  const { set, item } = opened
  const navigate = useNavigate()
  const proposals = useProposals(opened)
  const { proposal, ask } = proposals
  const [isAsking, setIsAsking] = useState(false)
  // Said of this image where one came to it by the button below, or of none.
  const location = useLocation()
  const [noneLeft, setNoneLeft] = useState(false)
  const propose = async (itemIds: string[]) => {
    setIsAsking(true)
    // The call has told why where it fails.
    await call('labelling/propose', { id: set.id, itemIds }).catch(() => null)
    ask()
    setIsAsking(false)
  }
  const following = async () => {
    const { items } = await call('labelling/items', { id: set.id, show: 'unfinished' })
    const ids = items.map(({ id }) => id).slice(0, limits.proposeItems)
    await propose([...new Set([item.id, ...ids])].slice(0, limits.proposeItems))
  }
  const goNext = async () => {
    const next = await call('labelling/nextItem', { id: set.id, itemId: item.id }).catch(() => null)
    if (!next) return
    setNoneLeft(next.itemId === null)
    if (next.itemId === null) return
    const address = `/labelling?set=${encodeURIComponent(set.id)}&item=${encodeURIComponent(next.itemId)}`
    const cameBy: CameBy = next
    navigate(address, { state: { cameBy } })
  }
  const isWaiting = proposal?.state === 'waiting'
  // Put there above, and nowhere else.
  const came = (location.state as { cameBy?: CameBy } | null)?.cameBy
  const why = noneLeft ? t('noneLeft') : came ? t(`why.${came.why}`, { count: came.among }) : ''
  return (
    <>
      <div className={styles.row}>
        <Button
          size="small"
          type="primary"
          loading={isAsking || isWaiting}
          onClick={() => void propose([item.id])}
        >
          {t('here')}
        </Button>
        <Button size="small" disabled={isAsking} onClick={() => void following().catch(() => undefined)}>
          {t('following')}
        </Button>
      </div>
      <p className={styles.soft} role="status">
        {stateOf(proposals, t)}
      </p>
      <Objects proposals={proposals} />
      <div className={styles.row}>
        <Button size="small" onClick={() => void goNext()}>
          {t(`goNext.${helper.order}`)}
        </Button>
      </div>
      {why !== '' && (
        <p className={styles.soft} role="status">
          {why}
        </p>
      )}
    </>
  )
}

function stateOf(
  { proposal, open }: Proposals,
  t: ReturnType<typeof useTranslation<'proposals'>>['t'],
): string {
  if (!proposal) return t('state.none')
  if (proposal.state !== 'ready') return t(`state.${proposal.state}`)
  if (proposal.objects.length === 0) return t('state.empty')
  return t('state.open', { open: open.length, count: proposal.objects.length })
}

function Objects({ proposals }: { proposals: Proposals }) {
  const { t } = useTranslation('proposals')
  const bench = useBench()
  const { proposal, open, chosen, choose, accept, refuse } = proposals
  if (open.length === 0) return null
  const numbers = open.map(({ number }) => number)
  const nameOf = (object: ProposedObject) => {
    const name = bench.classOf(object.class)?.name ?? ''
    const sure = object.confidence === null ? '' : formatPercent(object.confidence, 0)
    return t('object', { name, number: object.number, sure })
  }
  return (
    <>
      <ul className={styles.objects}>
        {open.map((object) => (
          <li key={object.number}>
            <button
              type="button"
              aria-pressed={object.number === chosen}
              onClick={() => choose(object.number)}
            >
              <i style={{ borderColor: bench.classOf(object.class)?.colour }} aria-hidden />
              <span>{nameOf(object)}</span>
            </button>
            <Button
              type="text"
              size="small"
              disabled={!bench.isWritable}
              icon={<CheckOutlined aria-hidden />}
              aria-label={t('accept', { name: nameOf(object) })}
              onClick={() => accept([object.number])}
            />
            <Button
              type="text"
              size="small"
              icon={<CloseOutlined aria-hidden />}
              aria-label={t('refuse', { name: nameOf(object) })}
              onClick={() => refuse([object.number])}
            />
          </li>
        ))}
      </ul>
      {(proposal?.left ?? 0) > 0 && (
        <p className={styles.soft}>{t('left', { count: proposal?.left ?? 0 })}</p>
      )}
      <div className={styles.row}>
        <Button size="small" disabled={!bench.isWritable} onClick={() => accept(numbers)}>
          {t('acceptAll')}
        </Button>
        <Button size="small" onClick={() => refuse(numbers)}>
          {t('refuseAll')}
        </Button>
      </div>
      <p className={styles.soft}>{t('keys')}</p>
    </>
  )
}
